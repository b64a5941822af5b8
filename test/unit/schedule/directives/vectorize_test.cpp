#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/schedule/subject.h"

namespace lacuna::vectorize_test {
namespace {

using testing::HasSubstr;

Subject matrix_vector(const std::string& A = "csr") { return {"y(i) = A(i,j) * x(j)", {{"A", A}, {"x", "dense"}}}; }
Subject matrix_product(const std::string& C = "dense") {
  return {"C(i,j) = A(i,k) * B(k,j)", {{"A", "csr"}, {"B", "dense"}}, C};
}

TEST(Vectorize, RunsIterationsThatWriteApartInLanes) {
  EXPECT_EQ(matrix_product().loops("reorder(i,k,j), vectorize(j)"),
            "forall i\n  forall k\n    forall j  (vector)\n      C(i,j) += A(i,k) * B(k,j)\n");
  EXPECT_THAT(matrix_product().c_code("reorder(i,k,j), vectorize(j)"), HasSubstr("#pragma omp simd\n"));
}

TEST(Vectorize, KeepsSumsByLane) {
  EXPECT_EQ(matrix_vector().difference("vectorize(j)"), "");
  EXPECT_THAT(matrix_vector().c_code("vectorize(j)"), HasSubstr("#pragma omp simd reduction(+:t)\n"));
  EXPECT_EQ(matrix_vector().c_code("vectorize(j)"),
            matrix_vector().c_code("parallelize(j,CPUVector,ParallelReduction)"));
  EXPECT_EQ(matrix_vector().compiled_difference("vectorize(j)"), "");
}

TEST(Vectorize, RunsTheInsideOfAPiece) {
  EXPECT_THAT(matrix_product().c_code("reorder(i,k,j), split(j,jo,ji,4), vectorize(ji)"),
              HasSubstr("#pragma omp simd\n        for (int64_t j_in = 0; j_in < 4; j_in++)"));
}

TEST(Vectorize, RefusesLoopsThatHoldOthers) {
  EXPECT_EQ(matrix_vector().refusal("vectorize(i)"),
            "vectorize: the loop over i holds one over j: only innermost loops can be vectorized");
  EXPECT_EQ(matrix_vector().refusal("split(j,jo,ji,4), vectorize(jo)"),
            "vectorize: the loop over jo holds one over j: only innermost loops can be vectorized");
}

TEST(Vectorize, RefusesLoopsWithTemporaries) {
  const Subject nested("y(i) = sum(j, A(i,j))", {{"A", "csr"}});
  EXPECT_EQ(nested.refusal("vectorize(i)"),
            "vectorize: the loop over i holds one over j: only innermost loops can be vectorized");
}

TEST(Vectorize, RefusesLoopsWhoseIterationsCannotBeCounted) {
  const Subject both("s = a(i) * b(i)", {{"a", "compressed"}, {"b", "compressed"}});
  const char* reason =
      ": the loop over i moves on by what it finds in its operands, so its iterations cannot be counted; vectorize "
      "loops "
      "over coordinates, or over what one operand stores";
  EXPECT_EQ(both.refusal("vectorize(i)"), std::string("vectorize") + reason);
  EXPECT_EQ(both.refusal("parallelize(i,CPUVector,ParallelReduction)"), std::string("parallelize") + reason);
  const Subject repeated("s = A(i,j) * x(j)", {{"A", "coo"}, {"x", "dense"}});
  EXPECT_EQ(repeated.difference("vectorize(j)"), "");
}

TEST(Vectorize, RefusesLanesThatAddToTheSameEntries) {
  const char* reason =
      ": lanes of fo add to y(i) at the same coordinates; vectorize a loop over coordinates of y, or reorder the loops "
      "so "
      "that the sum is innermost";
  const std::string strided = "fuse(i,j,f), split(f,fo,fi,4), reorder(fi,fo), ";
  EXPECT_EQ(matrix_vector("dense").refusal(strided + "vectorize(fo)"), std::string("vectorize") + reason);
  EXPECT_EQ(matrix_vector("dense").refusal(strided + "parallelize(fo,CPUVector,ParallelReduction)"),
            std::string("parallelize") + reason);
}

TEST(Vectorize, RefusesSumsOfComplexNumbers) {
  const Subject complex("s = x(i) * complex(0,1)", {{"x", "dense"}});
  EXPECT_EQ(complex.refusal("vectorize(i)"),
            "vectorize: a sum of complex numbers cannot be shared out over i; vectorize a loop outside the sum");
}

TEST(Vectorize, RefusesLanesThatAppend) {
  const Subject scaled("C(i,j) = A(i,j) * 2", {{"A", "csr"}}, "dcsr");
  EXPECT_EQ(
      scaled.refusal("vectorize(j)"),
      "vectorize: C(i,j) is put together entry by entry, which lanes of j cannot do; vectorize a loop that appends "
      "nothing, or store C densely");
}

TEST(Vectorize, RefusesASharedWorkspace) {
  EXPECT_EQ(matrix_product("csr").refusal("reorder(i,k,j), precompute(A(i,k)*B(k,j),j,jw), vectorize(jw)"),
            "vectorize: the iterations of jw share the workspace w: parallelize a loop outside it");
}

TEST(Vectorize, RefusesUnrolledLoops) {
  EXPECT_EQ(matrix_vector().refusal("unroll(j,4), vectorize(j)"),
            "vectorize: the loop over j is unrolled; split it and unroll the inner piece");
}

TEST(Vectorize, RefusesNames) {
  EXPECT_EQ(matrix_vector().refusal("vectorize(k)"), "vectorize: there is no loop over k; the loops are i, j");
}

}  // namespace
}  // namespace lacuna::vectorize_test
