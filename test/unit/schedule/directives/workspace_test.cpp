// Workspaces in each of their formats, under every kind of reader: what is computed is compared with the definition.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "lacuna/notation/parse.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/problem/workspaces.h"
#include "unit/schedule/subject.h"

namespace lacuna::workspace_test {
namespace {

using testing::HasSubstr;
using testing::Not;

Subject product(const std::string& C = "csr", const std::map<std::string, std::int64_t>& extents = {}) {
  return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, C, extents};
}

Format format_of_workspace(const Scheduled& s) {
  for (const concrete::Tensor& t : s.program.tensors)
    if (t.role == concrete::Role::Workspace) return t.format;
  return {};
}

class Workspaces : public testing::TestWithParam<const char*> {
 protected:
  /// A schedule with the format put into its {}.
  static std::string with_format(const std::string& schedule) {
    return fmt::format(fmt::runtime(schedule), fmt::arg("f", GetParam()));
  }
};
INSTANTIATE_TEST_SUITE_P(EveryFormat, Workspaces, testing::Values("dense", "bitmap", "hashed"));

TEST_P(Workspaces, CollectRows) {
  const std::string row = with_format("transpose(B,0,1), reorder(i,k,j), precompute(A(i,k)*B(k,j),j,jw,w,{f})");
  for (const char* C : {"csr", "dense", "coo", "bitmap", "hashed"}) {
    EXPECT_EQ(product(C).difference(row), "") << C;
    EXPECT_EQ(product(C).difference(row + ", parallelize(i,CPUThread)"), "") << C;
  }
  EXPECT_EQ(product("csr").difference(row + ", parallelize(i,CPUThread), assemble(C,Insert)"), "");
  EXPECT_EQ(product("csr").compiled_difference(row + ", parallelize(i,CPUThread)"), "");
}

TEST_P(Workspaces, AreScheduledOnBothSides) {
  const std::string row = with_format("transpose(B,0,1), reorder(i,k,j), precompute(A(i,k)*B(k,j),j,jw,w,{f}), ");
  for (const char* more :
       {"unroll(j,4)", "unroll(jw,4)", "split(j,jo,ji,4)", "split(jw,jo,ji,4), unroll(ji,2)", "divide(j,jo,ji,3)",
        "fuse(k,jw,f)", "fuse(k,jw,f), pos(f,fp,B), split(fp,fo,fi,5)", "split(j,jo,ji,4), reorder(ji,jo)",
        "split(i,io,ii,5), parallelize(io,CPUThread)", "bound(j,jb,10,exact)"}) {
    SCOPED_TRACE(more);
    for (const char* C : {"csr", "dense"}) {
      const Subject subject = product(C);
      try {
        EXPECT_EQ(subject.difference(row + more), "") << C;
      } catch (const Error& refused) {
        EXPECT_THAT(refused.what(), HasSubstr(":")) << C;
      }
    }
  }
}

TEST_P(Workspaces, MayBeFilledFromOthersInsideTheirLoops) {
  for (const char* A : {"dense", "bitmap", "hashed", "dense,dense,compressed:2,0,1", "dense,hashed,hashed"}) {
    const Subject sums{"y(k,i) = A(i,j,k)", {{"A", A}}, "csr", {{"j", 1}}};  // sums of one entry or none
    EXPECT_EQ(sums.difference(with_format("reorder(k,i,j), precompute(y(k,i),{{k,i}},{{kw,iw}},dense), "
                                          "precompute(A(iw,j,kw),{{j}},{{jw}},{f})")),
              "")
        << A;
  }
}

TEST_P(Workspaces, AreOfAnyOrder) {
  for (const char* C : {"csr", "csc", "dense", "coo"}) {
    EXPECT_EQ(product(C).difference(with_format("precompute(A(i,k)*B(k,j),{{i,j}},{{iw,jw}},w,{f})")), "") << C;
    EXPECT_EQ(product(C).difference(with_format("precompute(A(i,k)*B(k,j),{{j,i}},{{jw,iw}},w,{f})")), "") << C;
  }
  const std::string whole = with_format("precompute(A(i,k)*B(k,j),{{i,j}},{{iw,jw}},w,{f})");
  EXPECT_EQ(product().difference(whole + ", reorder(j,i)"), "");
  EXPECT_EQ(product().difference(whole + ", parallelize(i,CPUThread)"), "");
  EXPECT_EQ(product().difference(whole + ", split(i,io,ii,5), parallelize(io,CPUThread)"), "");
  EXPECT_EQ(product("dense").difference(whole + ", split(i,io,ii,5), reorder(ii,io)"), "");
  EXPECT_EQ(product().difference(with_format("precompute(B(k,j),{{j,k}},{{jw,kw}},w,{f})")), "");
  const Subject tensor("D(i,j,k) = T(i,j,l) * M(k,l)", {{"T", "csf"}, {"M", "csr"}}, "csf",
                       {{"i", 5}, {"j", 4}, {"k", 6}});
  EXPECT_EQ(tensor.difference(with_format("precompute(D(i,j,k),{{i,j,k}},{{iw,jw,kw}},w,{f})")), "");
  EXPECT_EQ(tensor.difference(with_format("precompute(D(i,j,k),{{j,k}},{{jw,kw}},w,{f})")), "");
}

TEST_P(Workspaces, AreMergedWithOtherOperands) {
  const std::string part = with_format("precompute(a(i)*b(i),i,iw,w,{f})");
  const std::map<std::string, std::string> sparse = {{"a", "compressed"}, {"b", "compressed"}, {"c", "compressed"}};
  for (const char* z : {"compressed", "dense", "bitmap"}) {
    const Subject sum("z(i) = (a(i) * b(i) + c(i)) * 2", sparse, z);
    EXPECT_EQ(sum.difference(part), "") << z;
    EXPECT_EQ(sum.difference(part + ", parallelize(i,CPUThread)"), "") << z;
    EXPECT_EQ(sum.difference(part + ", split(i,io,ii,5)"), "") << z;
    const Subject difference("z(i) = sqrt(c(i) - a(i) * b(i))", sparse, z);
    EXPECT_EQ(difference.difference(part), "") << z;
    const Subject product_of("z(i) = a(i) * b(i) * c(i)", sparse, z);
    EXPECT_EQ(product_of.difference(part), "") << z;
  }
  const Subject planes("C(i,j) = (A(i,j) * B(i,j) + D(i,j)) * 2", {{"A", "csr"}, {"B", "csr"}, {"D", "dcsr"}}, "dcsr");
  EXPECT_EQ(planes.difference(with_format("precompute(A(i,j)*B(i,j),{{i,j}},{{iw,jw}},w,{f})")), "");
  EXPECT_EQ(planes.difference(with_format("precompute(A(i,j)*B(i,j),j,jw,w,{f}), parallelize(i,CPUThread)")), "");
}

TEST_P(Workspaces, ReadOneAnother) {
  EXPECT_EQ(
      product().difference(with_format("precompute(A(i,k)*B(k,j),j,jw,row,{f}), precompute(A(i,k),k,kw,factor,{f})")),
      "");
  const Subject sum("z(i) = (a(i) * b(i) + c(i) * d(i)) * 2",
                    {{"a", "compressed"}, {"b", "compressed"}, {"c", "compressed"}, {"d", "compressed"}}, "compressed");
  EXPECT_EQ(sum.difference(with_format("precompute(a(i)*b(i),i,iw,v,{f}), precompute(c(i)*d(i),i,ix,w,{f})")), "");
}

TEST_P(Workspaces, AreReadInSeveralNestsInAnyOrder) {
  const std::string both =
      with_format("precompute(A(i,j),{{i,j}},{{iw,jw}},w,{f}), precompute(-w(i,j),{{i,j}},{{ix,jx}},v,{f})");
  for (const char* A : {"dense", "csr", "coo"}) {
    const Subject squares("C(i,j) = A(i,j) * -A(i,j)", {{"A", A}}, "dense");
    EXPECT_EQ(squares.difference(both), "") << A;
    EXPECT_EQ(squares.difference(both + ", reorder(jx,ix)"), "") << A;
    EXPECT_EQ(squares.difference(both + ", reorder(j,i)"), "") << A;
  }
}

TEST_P(Workspaces, CollectWhateverIsAssignedToTheResult) {
  const std::map<std::string, std::string> formats = {{"A", "csr"}, {"B", "csr"}, {"D", "csr"}};
  const Subject terms("C(i,j) = A(i,k) * B(k,j) - D(i,j)", formats, "csr");
  EXPECT_EQ(terms.loops(with_format("precompute(C(i,j),j,jw,w,{f})")),
            "forall i\n  forall j\n    C(i,j) += w(j)\n  where\n    forall jw\n      w(jw) += -D(i,jw)\n    ;\n"
            "    forall k\n      forall jw\n        w(jw) += A(i,k) * B(k,jw)\n");
  EXPECT_EQ(terms.difference(with_format("precompute(C(i,j),{{i,j}},{{iw,jw}},w,{f})")), "");
  const Subject more("C(i,j) += A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}, {"C", "csr"}});
  EXPECT_EQ(more.difference(with_format("precompute(C(i,j),j,jw,w,{f})")), "");
}

TEST_P(Workspaces, TellStoredZerosFromOthers) {
  const Subject mixed("z(i) = (a(i) + d(i) * c(i)) * (d(i) * 1)",
                      {{"a", "compressed"}, {"c", "compressed"}, {"d", "dense"}}, "compressed");
  EXPECT_EQ(mixed.difference(with_format("precompute(a(i) + d(i) * c(i),i,iw,w,{f})")), "");
  const Subject sums("z(i) = x(i) * (A(i,j) + 0 * j)", {{"A", "csr"}, {"x", "dense"}}, "compressed");
  EXPECT_EQ(sums.difference(with_format("precompute(A(i,j) + 0 * j,i,iw,w,{f})")), "");
}

TEST(HashedWorkspaces, GrowWhenFull) {
  const Subject wide("C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "csr"}}, "csr", {{"i", 3}, {"j", 900}});
  const std::string row = "precompute(A(i,k)*B(k,j),j,jw,w,hashed)";
  EXPECT_EQ(wide.difference(row), "");
  EXPECT_EQ(wide.compiled_difference(row + ", parallelize(i,CPUThread)"), "");
  EXPECT_EQ(wide.difference("precompute(A(i,k)*B(k,j),{i,j},{iw,jw},w,hashed)"), "");
}

TEST(HashedWorkspaces, TakeMemoryForWhatIsTouchedOnly) {
  EXPECT_THAT(product().c_code("precompute(A(i,k)*B(k,j),j,jw,w,hashed)"), Not(HasSubstr("w_mark")));
}

TEST(BitmapWorkspaces, AreEmptiedByTheLoopThatReadsThem) {
  const std::string code = product().c_code("precompute(A(i,k)*B(k,j),j,jw,w,bitmap)");
  EXPECT_THAT(code, HasSubstr("w_mark[j] = 0;"));
  EXPECT_THAT(code, Not(HasSubstr("memset(w_mark")));
}

TEST(BitmapWorkspaces, AreSortedOnlyWhereOrderMatters) {
  EXPECT_THAT(product("csr").c_code("precompute(A(i,k)*B(k,j),j,jw,w,bitmap)"), HasSubstr("sort"));
  EXPECT_THAT(product("dense").c_code("precompute(A(i,k)*B(k,j),j,jw,w,bitmap)"), Not(HasSubstr("sort")));
}

TEST(FormatOfWorkspaces, FollowsFromWhatIsCollected) {
  EXPECT_EQ(format_of_workspace(product().finished("precompute(A(i,k)*B(k,j),j,jw)")), bitmap_format(1));
  const Subject mttkrp("A(i,l) = B(i,j,k) * D(k,l) * C(j,l)",
                       {{"A", "dense"}, {"B", "csf"}, {"C", "dense"}, {"D", "dense"}});
  EXPECT_EQ(format_of_workspace(mttkrp.finished("precompute(B(i,j,k) * D(k,l),l,lw)")), dense_format(1));
}

TEST(FormatOfWorkspaces, IsAHashTableWhereThereMayBeTooMuch) {
  const IndexVar i("i"), j("j");
  concrete::Program p;
  p.extents = {{i, 1 << 20}, {j, 1 << 20}};
  EXPECT_EQ(workspaces::sparse_format(p, {i}), bitmap_format(1));
  EXPECT_EQ(workspaces::sparse_format(p, {i, j}), hashed_format(2));
}

TEST(PrecomputeOfTheResult, SaysWhatTheWorkspaceMustBeOver) {
  const Subject outer("C(i,j) = A(i,k) * B(k,j)", {{"A", "dense"}, {"B", "csr"}}, "csr");
  EXPECT_EQ(
      outer.refusal("transpose(B,0,1), reorder(k,i,j), precompute(C(i,j),j,jw)"),
      "precompute: i is inside a sum or beside another term, so that the workspace must be over i, too; or reorder it "
      "outside these");
  EXPECT_EQ(outer.difference("transpose(B,0,1), reorder(k,i,j), precompute(C(i,j),{i,j},{iw,jw},w,hashed)"), "");
  EXPECT_EQ(
      product().refusal("precompute(C(i,j),i,iw)"),
      "precompute: j is inside a sum or beside another term, so that the workspace must be over j, too; or reorder "
      "it outside these");
  EXPECT_EQ(product().refusal("precompute(C(j,i),j,jw)"), "precompute: the result is C(i,j), not C(j,i)");
  EXPECT_EQ(product().refusal("precompute(C(i,j),k,kw)"), "precompute: C(i,j) does not use k");
  EXPECT_EQ(product().refusal("pos(k,kp,A), precompute(C(i,j),j,jw)"),
            "precompute: kp runs over positions, which belong to one nest; precompute before pos");
  EXPECT_EQ(product().difference("pos(k,kp,A), precompute(C(i,j),j,j)"), "");
}

}  // namespace
}  // namespace lacuna::workspace_test
