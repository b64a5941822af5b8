#include "lacuna/schedule/complete/complete.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::finish_test {
namespace {

using concrete::Assembly;
using testing::HasSubstr;

std::string loops(const Subject& s, const std::string& schedule) {
  return concrete::to_string(s.finished(schedule).program.root);
}

Subject product(const std::string& A, const std::string& B, const std::string& C) {
  return {"C(i,j) = A(i,k) * B(k,j)", {{"A", A}, {"B", B}}, C};
}
Subject sampled(const std::string& A = "csr") {
  return {"A(i,j) = B(i,j) * C(i,k) * D(k,j)", {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}}, A};
}
Subject sum(const std::string& C = "csr") { return {"C(i,j) = A(i,j) + B(i,j)", {{"A", "csr"}, {"B", "csr"}}, C}; }

TEST(Finish, CollectsSumsInAScalarWhereTheResultIsKnown) {
  const Subject s = product("dense", "dense", "dense");
  EXPECT_EQ(loops(s, "reorder(i,j,k)"),
            "forall i\n  forall j\n    C(i,j) = t\n    where\n      forall k\n        t += A(i,k) * B(k,j)\n");
}

TEST(Finish, AddsToADenseResultWhereTheSumIsOutside) {
  const Subject s = product("dense", "dense", "dense");
  EXPECT_EQ(loops(s, "reorder(i,k,j)"), "forall i\n  forall k\n    forall j\n      C(i,j) += A(i,k) * B(k,j)\n");
  EXPECT_EQ(loops(s, "split(k,ko,ki,4), reorder(ko,i,j,ki)"),
            "forall ko\n  forall i\n    forall j\n      C(i,j) += t\n      where\n        forall k\n"
            "          t += A(i,k) * B(k,j)\n");
}

TEST(Finish, CollectsRowsOfASparseResultInAWorkspace) {
  EXPECT_EQ(loops(product("csr", "csr", "csr"), "reorder(i,k,j)"),
            "forall i\n  forall j\n    C(i,j) = w(j)\n  where\n    forall k\n      forall j\n"
            "        w(j) += A(i,k) * B(k,j)\n");
}

TEST(Finish, CollectsAllTermsTogether) {
  const Subject s("y(i) = a(i) + A(i,j) * x(j)", {{"a", "compressed"}, {"A", "csr"}, {"x", "dense"}});
  EXPECT_EQ(loops(s, "unroll(j,2)"),
            "forall i\n  y(i) = a(i) + t\n  where\n    forall j  (unroll 2)\n      t += A(i,j) * x(j)\n");
}

TEST(Finish, StoresInPlaceWhatCanBeStoredAnywhere) {
  for (const char* C : {"dense", "dense:1,0", "bitmap", "dense,bitmap"})
    EXPECT_EQ(sum(C).finished("reorder(i,j)").program.result().assembly, Assembly::Random) << C;
}

TEST(Finish, TakesThePatternOfAnOperandThatDecides) {
  const Scheduled s = sampled().finished("reorder(i,j,k)");
  EXPECT_EQ(s.program.result().assembly, Assembly::SharedPattern);
  EXPECT_EQ(s.program.result().pattern_operand, "B");
  EXPECT_EQ(sampled().finished("split(i,io,ii,4), reorder(ii,io), unroll(k,2)").program.result().assembly,
            Assembly::SharedPattern);
  // In another format, over a sum, or through a workspace: no.
  EXPECT_EQ(sampled("dcsr").finished("reorder(i,j,k)").program.result().assembly, Assembly::Append);
  EXPECT_EQ(sum().finished("reorder(i,j)").program.result().assembly, Assembly::Append);
  EXPECT_EQ(sampled().finished("precompute(B(i,j)*C(i,k)*D(k,j),j,jw)").program.result().assembly, Assembly::Append);
}

TEST(Finish, TakesThePatternOfAnOperandsFirstLevels) {
  const auto levels = [](const Subject& s, const std::string& schedule) {
    const Scheduled made = s.finished(schedule);
    return made.program.result().assembly == Assembly::SharedPattern ? made.program.result().pattern_levels : 0;
  };
  const Subject vector("A(i,j) = B(i,j,k) * c(k)", {{"B", "csf"}, {"c", "dense"}}, "csf");
  EXPECT_EQ(levels(vector, "reorder(i,j,k)"), 2);
  EXPECT_EQ(levels(vector, "split(k,ko,ki,3)"), 2);
  EXPECT_EQ(levels(vector, "parallelize(i,CPUThread,NoRaces)"), 2);
  const Subject matrix("A(i,j,l) = B(i,j,k) * C(k,l)", {{"B", "csf"}, {"C", "dense"}}, "compressed,compressed,dense");
  EXPECT_EQ(levels(matrix, "reorder(i,j,k,l)"), 2);
  EXPECT_EQ(levels(matrix, "reorder(i,j,l,k)"), 2);
  EXPECT_EQ(levels(matrix, "split(l,lo,li,4), reorder(i,j,lo,k,li)"), 2);
  const Subject outer("A(i,j,l) = B(i,j) * c(l)", {{"B", "dcsr"}, {"c", "dense"}}, "compressed,compressed,dense");
  EXPECT_EQ(levels(outer, "reorder(i,j,l)"), 2);
  // Not where something else decides as well, where rows may be empty, or where two entries share their coordinates.
  const Subject sparse("A(i,j) = B(i,j,k) * c(k)", {{"B", "csf"}, {"c", "compressed"}}, "csf");
  EXPECT_EQ(levels(sparse, "reorder(i,j,k)"), 0);
  const Subject rows("A(i) = B(i,j) * c(j)", {{"B", "csr"}, {"c", "dense"}}, "compressed");
  EXPECT_EQ(levels(rows, "reorder(i,j)"), 0);
  const Subject list("A(i,j) = B(i,j,k) * c(k)", {{"B", "coo"}, {"c", "dense"}}, "coo");
  EXPECT_EQ(levels(list, "reorder(i,j,k)"), 0);
}

TEST(Finish, AppendsWhatComesInOrder) {
  for (const char* schedule : {"reorder(i,j)", "split(i,io,ii,5)", "split(j,jo,ji,4)", "divide(i,io,ii,3)",
                               "bound(i,b,12,exact)", "split(i,io,ii,5), split(ii,a,b,2)"})
    EXPECT_EQ(sum().finished(schedule).program.result().assembly, Assembly::Append) << schedule;
}

TEST(Finish, StreamsWhatComesInNoOrder) {
  for (const char* schedule :
       {"split(i,io,ii,5), reorder(ii,io)", "split(j,jo,ji,4), reorder(jo,i)", "fuse(i,j,f), split(f,a,b,7)"}) {
    const Scheduled s = sum().finished(schedule);
    EXPECT_EQ(s.program.result().assembly, Assembly::Stream) << schedule;
    EXPECT_THAT(s.program.notes, testing::ElementsAre(HasSubstr("C is made from a stream of coordinates"))) << schedule;
  }
  EXPECT_EQ(product("csr", "csr", "csr").finished("transpose(A,1,0), reorder(k,i,j)").program.result().assembly,
            Assembly::Stream);
}

TEST(Finish, AppendsInTheOrderOfTheLoopsAndConverts) {
  const Scheduled s = sum("csc").finished("transpose(A,0,1), transpose(B,0,1), reorder(i,j)");
  EXPECT_EQ(s.program.result().assembly, Assembly::Append);
  EXPECT_EQ(s.program.result().format.to_string(), "csr");
  EXPECT_THAT(s.program.notes, testing::Contains("C is made in csr and converted to csc"));
}

TEST(Finish, AppendsBlocksAndAddsInsideThem) {
  const Subject s("A(i,j) = B(i,k) * D(i,k) * C(k,j)", {{"B", "dcsr"}, {"D", "dcsr"}, {"C", "dense"}},
                  "compressed,dense");
  const Scheduled added = s.finished("reorder(i,k,j)");
  EXPECT_EQ(added.program.result().assembly, Assembly::Append);
  EXPECT_EQ(concrete::to_string(added.program.root),
            "forall i\n  forall k\n    forall j\n      A(i,j) += B(i,k) * D(i,k) * C(k,j)\n");
  EXPECT_EQ(loops(s, "reorder(i,j,k)"),
            "forall i\n  forall j\n    A(i,j) = t\n    where\n      forall k\n        t += B(i,k) * D(i,k) * C(k,j)\n");
}

TEST(Finish, KeepsSumsThatAreAddedToInTheTypeOfTheSum) {
  Subject s("y(i) = float32(A(i,j)) * x(j)", {{"A", "csr"}, {"x", "dense"}});
  EXPECT_EQ(s.finished("reorder(i,j)").program.result().type, Type::Float64);
}

TEST(Finish, NamesTemporariesThatTheStatementLeavesFree) {
  const Subject s("y(i) = t(i,j) * w(j)", {{"t", "csr"}, {"w", "dense"}});
  EXPECT_EQ(loops(s, "reorder(i,j)"), "forall i\n  y(i) = t_2\n  where\n    forall j\n      t_2 += t(i,j) * w(j)\n");
}

}  // namespace
}  // namespace lacuna::finish_test
