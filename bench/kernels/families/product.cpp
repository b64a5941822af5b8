// A sparse matrix times itself, alone and with a third one added.

#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"

namespace lacuna::contest {
namespace {

constexpr const char* product = "C(i,j) = A(i,k) * B(k,j)";
constexpr const char* product_sum = "C(i,j) = A(i,k) * B(k,j) + D(i,j)";
constexpr const char* operands_once = "the operands once; C is not counted";

std::vector<std::string> factors(Inputs& inputs) { return inputs.factors(); }

Problem square(Inputs& inputs, const std::string& input) {
  const Storage a = inputs.matrix(input);
  return {Operation::Spgemm,
          input,
          {parse_statement(product), {{"A", a}, {"B", a}}, csr_format(), {}, {}, {}},
          2 * bytes_of(a)};
}

Problem square_and_sum(Inputs& inputs, const std::string& input) {
  const Storage a = inputs.matrix(input);
  return {Operation::ProductSum,
          input,
          {parse_statement(product_sum), {{"A", a}, {"B", a}, {"D", rotated(a, 1)}}, csr_format(), {}, {}, {}},
          3 * bytes_of(a)};
}

}  // namespace

std::vector<Kernel> product_kernels() {
  return {{"spgemm", product, operands_once, {1.1}, "", factors, square},
          {"fused-product-sum", product_sum, operands_once, {1.2}, "", factors, square_and_sum}};
}

}  // namespace lacuna::contest
