// Dimensions beyond 2^31 with few entries: coordinates are 64 bits wide, and nothing may be as long as a dimension.

#include <gtest/gtest.h>

#include "unit/compile/interpreted.h"

namespace lacuna::large_dimensions_test {
namespace {

constexpr std::int64_t n = (std::int64_t{1} << 31) + 10;
constexpr std::int64_t high = n - 1, middle = std::int64_t{1} << 31;

const std::vector<std::pair<Coordinate, double>> entries{
    {{0, high}, 1}, {{7, 7}, 2}, {{middle, 3}, 3}, {{high, 0}, 4}, {{high, high}, 5}};
const std::vector<std::pair<Coordinate, double>> others{{{0, high}, 10}, {{3, 8}, 20}, {{high, middle}, 30}};

Operands matrices(const std::string& A, const std::string& B) {
  return {{"A", tensor<double>(A, {n, n}, entries)}, {"B", tensor<double>(B, {n, n}, others)}};
}

TEST(LargeDimensions, SumsAndProductsOfHypersparseMatricesAreRight) {
  for (const char* A : {"dcsr", "coo", "dcsc", "hashed"}) {
    for (const char* B : {"dcsr", "coo"}) {
      EXPECT_EQ(run_and_compare(request_for("C(i,j) = A(i,j) + B(i,j)", matrices(A, B), "dcsr")), "") << A << " " << B;
      EXPECT_EQ(run_and_compare(request_for("C(i,j) = A(i,j) * B(i,j)", matrices(A, B), "coo")), "") << A << " " << B;
      EXPECT_EQ(run_and_compare(request_for("C(i,j) = A(i,k) * B(k,j)", matrices(A, B), "dcsr")), "") << A << " " << B;
    }
  }
}

TEST(LargeDimensions, TransposedMatricesAreRight) {
  EXPECT_EQ(run_and_compare(request_for("C(i,j) = A(j,i)", matrices("dcsr", "dcsr"), "dcsr")), "");
}

TEST(LargeDimensions, MatricesTimesSparseVectorsAreRight) {
  Operands operands = matrices("dcsr", "dcsr");
  operands["x"] = sparse<double>(n, {{{3}, 10}, {{high}, 100}});
  EXPECT_EQ(run_and_compare(request_for("y(i) = A(i,j) * x(j)", operands, "sparse")), "");
  EXPECT_EQ(run_and_compare(request_for("s = A(i,j) * x(j)", operands)), "");
}

}  // namespace
}  // namespace lacuna::large_dimensions_test
