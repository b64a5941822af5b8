// A sparse matrix with dense ones: SpMM and SDDMM.

#include <fmt/format.h>

#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

constexpr const char* spmm = "Y(i,k) = A(i,j) * X(j,k)";
constexpr const char* sddmm = "A(i,j) = B(i,j) * C(i,k) * D(j,k)";

std::vector<std::string> quarters(Inputs& inputs) { return inputs.quarter_matrices(); }

Kernel spmm_kernel(std::int64_t columns) {
  Kernel kernel{fmt::format("spmm-{}", columns), spmm, "A, X and Y once", {1.1}, "", every_matrix, {}};
  // So many columns of a million rows each would not fit into memory a few times over.
  if (columns > 32) kernel.inputs = quarters;
  kernel.make = [columns](Inputs& inputs, const std::string& input) {
    const Storage a = inputs.matrix(input);
    const Storage x = generate_dense({a.dimensions[1], columns}, 2);
    Problem problem{Operation::Spmm, input, {parse_statement(spmm), {{"A", a}, {"X", x}}, dense_format(2), {}, {}, {}}};
    problem.bytes = bytes_of(a) + bytes_of(x) + 8.0 * static_cast<double>(a.dimensions[0] * columns);
    return problem;
  };
  return kernel;
}

Problem sddmm_problem(Inputs& inputs, const std::string& input) {
  constexpr std::int64_t depth = 64;
  const Storage b = inputs.matrix(input);
  const Storage c = generate_dense({b.dimensions[0], depth}, 2);
  const Storage d = generate_dense({b.dimensions[1], depth}, 3);
  Problem problem{
      Operation::Sddmm, input, {parse_statement(sddmm), {{"B", b}, {"C", c}, {"D", d}}, csr_format(), {}, {}, {}}};
  problem.bytes = bytes_of(b) + bytes_of(c) + bytes_of(d) + static_cast<double>(b.values.bytes());
  return problem;
}

}  // namespace

std::vector<Kernel> dense_factor_kernels() {
  return {spmm_kernel(8),
          spmm_kernel(32),
          spmm_kernel(128),
          {"sddmm-64", sddmm, "B, C, D and the values of A once", {1.2}, "", quarters, sddmm_problem}};
}

}  // namespace lacuna::contest
