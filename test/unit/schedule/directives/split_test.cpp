#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/schedule/directives/directives.h"
#include "unit/schedule/subject.h"

namespace lacuna::split_test {
namespace {

using testing::HasSubstr;

Subject matrix_vector(const std::string& A = "csr") { return {"y(i) = A(i,j) * x(j)", {{"A", A}, {"x", "dense"}}}; }

TEST(Split, PutsALoopOverThePiecesAroundOneOverThePiece) {
  EXPECT_EQ(matrix_vector().loops("split(i,io,ii,4)"),
            "forall io\n  forall ii\n    forall j\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("split(j,jo,ji,3)"),
            "forall i\n  forall jo\n    forall ji\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Split, CountsPiecesThatDoNotFillTheExtent) {
  for (const char* pieces : {"1", "5", "12", "13", "4000000000000"})
    EXPECT_EQ(matrix_vector().difference(std::string("split(i,io,ii,") + pieces + ")"), "") << pieces;
}

TEST(Divide, IsASplitIntoANumberOfPieces) {
  EXPECT_EQ(matrix_vector().loops("divide(i,io,ii,5)"),
            "forall io\n  forall ii\n    forall j\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_THAT(concrete::to_string(matrix_vector().finished("divide(i,io,ii,5)").program),
              HasSubstr("// i = io and ii, pieces: 5\n"));
  EXPECT_THAT(concrete::to_string(matrix_vector().finished("split(i,io,ii,5)").program),
              HasSubstr("// i = io and ii, pieces of 5\n"));
}

TEST(Divide, SharesOutPiecesThatLieBehindTheEnd) {
  const Subject sum("s = cos(x(i))", {{"x", "compressed"}}, "", {{"i", 1}});
  EXPECT_EQ(sum.difference("divide(i,io,ii,4), parallelize(ii,CPUThread,ParallelReduction)"), "");
}

TEST(Divide, MayMakeMorePiecesThanThereAreValues) {
  for (const char* pieces : {"1", "7", "12", "100"})
    EXPECT_EQ(matrix_vector().difference(std::string("divide(i,io,ii,") + pieces + ")"), "") << pieces;
}

TEST(Split, CutsPiecesOfPiecesAndFusedLoopsAndPositions) {
  EXPECT_EQ(matrix_vector().loops("split(i,io,ii,5), split(ii,a,b,2), divide(io,c,d,2)"),
            "forall c\n  forall d\n    forall a\n      forall b\n        forall j\n          y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("fuse(i,j,f), split(f,fo,fi,7)"),
            "forall fo\n  forall fi\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("pos(j,jp,A), split(jp,a,b,2)"),
            "forall i\n  forall a\n    forall b\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Split, GivesThreadsToThePiecesAndLanesToWhatIsInThem) {
  EXPECT_EQ(matrix_vector().loops("parallelize(i,CPUThread,Atomics), split(i,io,ii,4)"),
            "forall io  (threads, Atomics)\n  forall ii\n    forall j\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector("dense").loops("vectorize(j), split(j,jo,ji,4)"),
            "forall i\n  forall jo\n    forall ji  (vector)\n      y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("unroll(j,2), split(j,jo,ji,4)"),
            "forall i\n  forall jo\n    forall ji  (unroll 2)\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Split, PiecesOfPiecesThatReachPastTheEndOfAPieceHoldNothing) {
  const Subject sum("s = x(i)", {{"x", "dense"}});
  EXPECT_EQ(sum.difference("split(i,a,b,1), split(b,g,h,1), split(a,c,d,3), split(d,e,f,4), reorder(f,e)"), "");
}

TEST(Split, InsideOutLeavesWhatIsNotStoredZero) {
  const Subject rows("y(i) = A(i,j)", {{"A", "compressed,dense"}}, "dense");
  EXPECT_THAT(rows.c_code("split(i,io,ii,4), reorder(ii,io)"), HasSubstr("y_vals[k] = 0.0;"));
}

TEST(Split, ReachesTheLoopsOfEveryTerm) {
  const Subject sum("y(i) = a(i) + A(i,j) * x(j)", {{"a", "compressed"}, {"A", "csr"}, {"x", "dense"}});
  EXPECT_EQ(sum.loops("split(i,io,ii,4)"),
            "forall io\n  forall ii\n    y(i) += a(i)\n    ;\n    forall j\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Split, RefusesAVariableWithoutALoop) {
  const Subject s = matrix_vector();
  EXPECT_EQ(s.refusal("split(k,ko,ki,4)"), "split: there is no loop over k; the loops are i, j");
  EXPECT_EQ(s.refusal("divide(A,ko,ki,4)"), "divide: there is no loop over A; the loops are i, j");
  EXPECT_EQ(s.refusal("split(i,io,ii,4), split(i,a,b,4)"),
            "split: i has no loop any more; the loops that replaced it are io, ii");
  EXPECT_EQ(s.refusal("split(i,io,ii,4), split(io,a,b,2), divide(i,c,d,2)"),
            "divide: i has no loop any more; the loops that replaced it are a, b, ii");
  EXPECT_EQ(s.refusal("fuse(i,j,f), split(j,a,b,2)"),
            "split: j has no loop any more; the loops that replaced it are f");
}

TEST(Split, RefusesNamesThatAreTaken) {
  const Subject s = matrix_vector();
  EXPECT_EQ(s.refusal("split(i,j,ii,4)"), "split: there is a variable j already; choose another name for the new one");
  EXPECT_EQ(s.refusal("divide(i,io,j,4)"),
            "divide: there is a variable j already; choose another name for the new one");
  EXPECT_EQ(s.refusal("split(i,io,ii,4), split(j,i,ji,4)"),
            "split: there is a variable i already; choose another name for the new one");
  EXPECT_EQ(s.refusal("split(i,x,ii,4)"), "split: x is a tensor; choose another name for the new variable");
  EXPECT_EQ(s.refusal("split(i,y,ii,4)"), "split: y is a tensor; choose another name for the new variable");
}

TEST(Split, ChecksValuesThatNoTextWentThrough) {
  const Subject s = matrix_vector();
  EXPECT_EQ(s.refusal_of(directive::Split{"i", "o", "o", 4, false}), "split: the two new variables are both called o");
  EXPECT_EQ(s.refusal_of(directive::Split{"i", "o", "n", 0, false}),
            "split: the number of iterations must be at least 1, not 0");
  EXPECT_EQ(s.refusal_of(directive::Split{"i", "o", "n", -3, true}),
            "divide: the number of pieces must be at least 1, not -3");
  EXPECT_EQ(s.refusal_of(directive::Split{"i", "2o", "n", 4, false}), "split: '2o' is no name for a variable");
}

/// What is summed in registers is a whole piece, run through once: not where loops inside cut it again.
TEST(Split, APieceInRegistersIsNotCutAgain) {
  const Subject s("y(k) = B(j,k,i)", {{"B", "dense"}}, "dense");
  const std::string pieces = "unroll(k,4), split(k,ko,ki,4), split(i,io,ii,4), reorder(ko,io,ki,ii)";
  EXPECT_EQ(s.difference(pieces + ", split(ki,kio,kii,2)"), "");
  EXPECT_EQ(s.difference(pieces + ", split(ki,kio,kii,3)"), "");
  EXPECT_EQ(s.compiled_difference(pieces + ", split(ki,kio,kii,2)"), "");
}

TEST(Split, BlocksUnderEntriesAreStoredWhereNoLoopRunsOverTheEntriesAlone) {
  const Subject rows("y(i,j) = 2 * A(i) * b(j)", {{"A", "compressed"}, {"b", "dense"}}, "compressed,dense");
  EXPECT_EQ(rows.difference("split(i,io,ii,3), reorder(ii,io)"), "");
}

}  // namespace
}  // namespace lacuna::split_test
