#include <gtest/gtest.h>

#include "lacuna/tensor/generate.h"
#include "unit/reference/evaluate_text.h"

// The reference evaluator has to cope with tensors of the size that the kernels are compared on.
namespace lacuna::scale_test {
namespace {

TEST(Scale, AMatrixTimesItsTransposeIsJoined) {
  // 2000 rows of 11 entries: 0.24 million products, where the whole space has 8 billion points.
  const Storage band = build(generate_banded(2000, 2000, 5, 1), csr_format());
  const ReferenceResult product = evaluate("C(i,j) = A(i,k) * A(j,k)", {{"A", band}});
  EXPECT_EQ(product.entries.size(), 2000U * 21 - 10 * 11);
}

TEST(Scale, MttkrpVisitsEachStoredEntryOncePerColumn) {
  const Storage b = build(generate_uniform({200, 300, 400}, 20000, 1, Type::Int64), csf_format(3));
  const Operands operands{
      {"B", b}, {"C", generate_dense({300, 4}, 2, Type::Int64)}, {"D", generate_dense({400, 4}, 3, Type::Int64)}};
  const ReferenceResult product = evaluate("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", operands, Type::Int64);
  EXPECT_EQ(product.entries.size(), 800U);
}

TEST(Scale, HypersparseDimensionsCostNothing) {
  const std::int64_t huge = std::int64_t{1} << 40;
  const Storage a = tensor<double>("dcsr", {huge, huge}, {{{huge - 1, 3}, 2}, {{7, huge - 1}, 5}});
  const ReferenceResult product = evaluate("C(i,j) = A(i,k) * A(j,k)", {{"A", a}});
  EXPECT_EQ(product.entries.size(), 2U);
  EXPECT_EQ(product.entries.at({7, 7}).value, Scalar(25.0));
}

}  // namespace
}  // namespace lacuna::scale_test
