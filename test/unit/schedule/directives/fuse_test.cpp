#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::fuse_test {
namespace {

Subject matrix_vector(const std::string& A = "csr") { return {"y(i) = A(i,j) * x(j)", {{"A", A}, {"x", "dense"}}}; }

TEST(Fuse, MakesOneLoopOfTwo) {
  EXPECT_EQ(matrix_vector().loops("fuse(i,j,f)"), "forall f\n  y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("collapse(i,j,f)"), "forall f\n  y(i) += A(i,j) * x(j)\n");
}

TEST(Fuse, ComesBackAsTheTwoLoopsWhereNothingElseIsDoneWithIt) {
  EXPECT_EQ(concrete::to_string(matrix_vector().finished("fuse(i,j,f)").program.root),
            "forall i\n  y(i) = t\n  where\n    forall j\n      t += A(i,j) * x(j)\n");
}

TEST(Fuse, MakesOneLoopOfMoreThanTwo) {
  const Subject s("s = B(i,j,k) * x(k)", {{"B", "csf"}, {"x", "dense"}});
  EXPECT_EQ(s.loops("fuse(j,k,f), fuse(i,f,g), split(g,a,b,17)"), "forall a\n  forall b\n    s += B(i,j,k) * x(k)\n");
  EXPECT_EQ(s.loops("fuse(i,j,f), fuse(f,k,g), divide(g,a,b,3)"), "forall a\n  forall b\n    s += B(i,j,k) * x(k)\n");
}

TEST(Fuse, JoinsPiecesAgain) {
  EXPECT_EQ(matrix_vector().loops("split(i,io,ii,5), fuse(io,ii,f)"),
            "forall f\n  forall j\n    y(i) += A(i,j) * x(j)\n");
  EXPECT_EQ(matrix_vector().loops("split(i,io,ii,5), fuse(ii,j,f), split(f,a,b,7)"),
            "forall io\n  forall a\n    forall b\n      y(i) += A(i,j) * x(j)\n");
}

TEST(Fuse, JoinsAPieceWithAPieceOfAPiece) {
  EXPECT_EQ(matrix_vector("dense").loops("split(i,a,b,4), divide(b,c,d,3), fuse(a,c,f), split(f,g,h,2)"),
            "forall g\n  forall h\n    forall d\n      forall j\n        y(i) += A(i,j) * x(j)\n");
  const Subject dense("y(i) = A(i,j) * B(i,j)", {{"A", "dense"}, {"B", "dense"}});
  EXPECT_EQ(dense.loops("reorder(j,i), split(i,a,b,4), divide(b,c,d,3), fuse(a,c,f), split(f,g,h,2), reorder(h,j)"),
            "forall h\n  forall g\n    forall j\n      forall d\n        y(i) += A(i,j) * B(i,j)\n");
}

TEST(Fuse, RefusesLoopsThatAreNotDirectlyInsideOneAnother) {
  EXPECT_EQ(matrix_vector().refusal("fuse(j,i,f)"),
            "fuse: the loop over i is not directly inside that over j: reorder them first");
  EXPECT_EQ(matrix_vector().refusal("split(i,io,ii,4), fuse(io,j,f)"),
            "fuse: the loop over j is not directly inside that over io: reorder them first");
}

TEST(Fuse, RefusesPositions) {
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), fuse(i,jp,f)"),
            "fuse: jp runs over positions; fuse the variables themselves first, then apply pos to the pair");
  EXPECT_EQ(matrix_vector().refusal("pos(j,jp,A), split(jp,a,b,2), fuse(a,b,f)"),
            "fuse: a runs over positions; fuse the variables themselves first, then apply pos to the pair");
}

TEST(Fuse, RefusesLoopsThatWereToldHowToRun) {
  EXPECT_EQ(matrix_vector().refusal("parallelize(i,CPUThread), fuse(i,j,f)"),
            "fuse: another directive (parallelize, unroll, prefetch, mergeby) names i already; put fuse before it");
  EXPECT_EQ(matrix_vector().refusal("unroll(j,4), fuse(i,j,f)"),
            "fuse: another directive (parallelize, unroll, prefetch, mergeby) names j already; put fuse before it");
}

TEST(Fuse, RefusesLoopsWithOtherStatementsBetween) {
  const Subject sum("y(i) = A(i,j) * x(j) + B(i,k) * z(k)",
                    {{"A", "csr"}, {"B", "csr"}, {"x", "dense"}, {"z", "dense"}});
  EXPECT_EQ(
      sum.refusal("fuse(i,j,f)"),
      "fuse: other statements stand between the loop over i and that over j, so they are no pair; fuse loops directly "
      "inside one another");
}

TEST(Fuse, RefusesMorePairsThanCanBeCounted) {
  EXPECT_EQ(matrix_vector().refusal("split(i,io,ii,4611686018427387904), fuse(ii,j,f)"),
            "fuse: ii and j have more than 2^63 pairs");
}

TEST(Fuse, RefusesNames) {
  EXPECT_EQ(matrix_vector().refusal("fuse(i,k,f)"), "fuse: there is no loop over k; the loops are i, j");
  EXPECT_EQ(matrix_vector().refusal("fuse(k,i,f)"), "fuse: there is no loop over k; the loops are i, j");
  EXPECT_EQ(matrix_vector().refusal("fuse(i,j,x)"), "fuse: x is a tensor; choose another name for the new variable");
  EXPECT_EQ(matrix_vector().refusal("fuse(i,j,f), fuse(i,f,g)"),
            "fuse: i has no loop any more; the loops that replaced it are f");
}

}  // namespace
}  // namespace lacuna::fuse_test
