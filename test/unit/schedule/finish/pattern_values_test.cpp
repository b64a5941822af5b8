#include "lacuna/schedule/complete/pattern_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::pattern_values_test {
namespace {

using concrete::Role;
using testing::HasSubstr;
using testing::Not;

const std::string apart = "reorder(i,j,k,l), loopfuse({B,C,D},left,{},0)";

Subject chain(const std::string& B, const std::string& E = "dense", const std::string& A = "dense") {
  return {"A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)", {{"B", B}, {"C", "dense"}, {"D", "dense"}, {"E", E}}, A};
}

/// The role of the temporary that is no scalar.
Role role_of_temporary(const Scheduled& s) {
  for (const concrete::Tensor& t : s.program.tensors)
    if (t.is_temporary() && t.role != Role::Scalar) return t.role;
  return Role::Scalar;
}

TEST(PatternValues, AreStoredOnceAnEntryAndReadThere) {
  const Subject s = chain("csr");
  EXPECT_EQ(concrete::to_string(s.finished(apart).program.root),
            "forall i\n  forall j\n    forall l\n      A(i,l) += w(i,j) * E(j,l)\n"
            "where\n  forall iw\n    forall jw\n      w(iw,jw) += t\n      where\n        forall k\n"
            "          t += B(iw,jw) * C(iw,k) * D(jw,k)\n");
  EXPECT_THAT(s.c_code(apart), HasSubstr("w[pB2] = t;"));
  EXPECT_THAT(s.c_code(apart), Not(HasSubstr("has_")));
}

TEST(PatternValues, BelongToOperandsOfEveryFormat) {
  for (const char* B : {"csr", "dcsr", "coo", "bitmap", "dense,bitmap", "compressed,dense"}) {
    for (const char* E : {"dense", "bitmap"})
      for (const char* A : {"dense", "csr", "coo"})
        EXPECT_EQ(role_of_temporary(chain(B, E, A).finished(apart)), Role::PatternValues) << B << " " << E << " " << A;
    EXPECT_EQ(chain(B).compiled_difference(apart), "") << B;
  }
  const Subject by_columns = chain("csc");
  const std::string columns_first = "reorder(j,i,k,l), loopfuse({B,C,D},left,{},0)";
  EXPECT_EQ(role_of_temporary(by_columns.finished(columns_first)), Role::PatternValues);
  EXPECT_EQ(by_columns.compiled_difference(columns_first), "");
}

TEST(PatternValues, AreForAllLoopsThatShareNothingWithTheOperand) {
  const Subject s("A(m,i,l) = B(i,j) * C(i,k) * D(j,k) * E(m,j,l)",
                  {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"E", "dense"}}, "dense",
                  {{"i", 12}, {"j", 10}, {"k", 9}, {"l", 8}, {"m", 3}});
  const std::string inside = "reorder(m,i,j,k,l), loopfuse({B,C,D},left,{},1), parallelize(m,CPUThread,NoRaces)";
  EXPECT_EQ(role_of_temporary(s.finished(inside)), Role::PatternValues);
  EXPECT_EQ(s.compiled_difference(inside), "");
}

TEST(PatternValues, AreSharedOutToThreadsByTheirEntries) {
  const Subject s = chain("csr");
  EXPECT_EQ(s.compiled_difference(apart + ", parallelize(i,CPUThread,NoRaces), parallelize(iw,CPUThread,NoRaces)"), "");
  EXPECT_EQ(s.compiled_difference(apart + ", parallelize(jw,CPUThread,NoRaces)"), "");
  EXPECT_THAT(s.refusal("reorder(k,i,j,l), loopfuse({B,C,D},left,{},0), parallelize(k,CPUThread,NoRaces)"),
              HasSubstr("w(iw,jw)"));
}

TEST(PatternValues, AreAddedToWhereTheSumIsOutside) {
  const Subject s = chain("csr");
  const std::string outside = "reorder(k,i,j,l), loopfuse({B,C,D},left,{},0)";
  EXPECT_EQ(role_of_temporary(s.finished(outside)), Role::PatternValues);
  EXPECT_THAT(s.c_code(outside), HasSubstr("w[pB2] +="));
  EXPECT_EQ(s.compiled_difference(outside), "");
}

TEST(PatternValues, AreThoseOfPartsThatPrecomputeNames) {
  const Subject s("y(i) = (B(i,j) + 2 * B(i,j)) * x(j)", {{"B", "csr"}, {"x", "dense"}});
  EXPECT_EQ(role_of_temporary(s.finished("precompute(B(i,j) + 2*B(i,j),{i,j},{iw,jw},w)")), Role::PatternValues);
  EXPECT_EQ(role_of_temporary(s.finished("precompute(B(i,j) + 2*B(i,j),{i,j},{iw,jw},w,bitmap)")), Role::Workspace);
}

TEST(PatternValues, NeedAnOperandThatSaysWhereTheyAre) {
  const std::map<std::string, std::string> formats = {{"B", "csr"}, {"C", "csr"}, {"x", "dense"}, {"y", "dense"}};
  const Subject both("a(i) = B(i,j) * C(i,j) * x(j)", formats);
  EXPECT_EQ(role_of_temporary(both.finished("precompute(B(i,j) * C(i,j),{i,j},{iw,jw},w)")), Role::Workspace);
  const Subject either("a(i) = (B(i,j) + C(i,j)) * x(j)", formats);
  EXPECT_EQ(role_of_temporary(either.finished("precompute(B(i,j) + C(i,j),{i,j},{iw,jw},w)")), Role::Workspace);
  const Subject row("a(i) = B(i,j) * x(j) * y(i)", formats);
  EXPECT_EQ(role_of_temporary(row.finished("precompute(B(i,j) * x(j),{j},{jw},w)")), Role::Workspace);
}

/// Loops in another order would search the operand for each of its coordinates.
TEST(PatternValues, NeedLoopsInTheOrderOfTheOperandsLevels) {
  const Subject s = chain("csr");
  const std::string turned = "reorder(i,j,k,l), loopfuse({B,C,D},left,{},0), reorder(j,i,l)";
  EXPECT_EQ(role_of_temporary(s.finished(turned)), Role::Workspace);
}

TEST(PatternValues, AreNoneWhereASumIsOverNothing) {
  const Subject s("A(i,l) = B(i,j) * C(i,k) * D(j,k) * E(j,l)",
                  {{"B", "csr"}, {"C", "dense"}, {"D", "dense"}, {"E", "dense"}}, "csr",
                  {{"i", 12}, {"j", 10}, {"k", 0}, {"l", 8}});
  EXPECT_EQ(role_of_temporary(s.finished(apart)), Role::Workspace);
}

}  // namespace
}  // namespace lacuna::pattern_values_test
