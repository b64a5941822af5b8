// A sparse tensor of order 3 with dense factors: MTTKRP, TTM and TTV.

#include <fmt/format.h>

#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

constexpr const char* mttkrp = "A(i,l) = B(i,k,j) * C(k,l) * D(j,l)";
constexpr const char* ttm = "A(i,j,l) = B(i,j,k) * C(k,l)";
constexpr const char* ttv = "A(i,j) = B(i,j,k) * c(k)";

Kernel mttkrp_kernel(std::int64_t columns) {
  Kernel kernel{fmt::format("mttkrp-{}", columns), mttkrp, "B, C, D and A once", {1.3}, "", every_tensor, {}};
  kernel.make = [columns](Inputs& inputs, const std::string& input) {
    const Storage b = inputs.tensor(input);
    const Storage c = generate_dense({b.dimensions[1], columns}, 2);
    const Storage d = generate_dense({b.dimensions[2], columns}, 3);
    Problem problem{Operation::Mttkrp,
                    input,
                    {parse_statement(mttkrp), {{"B", b}, {"C", c}, {"D", d}}, dense_format(2), {}, {}, {}}};
    problem.bytes = bytes_of(b) + bytes_of(c) + bytes_of(d) + 8.0 * static_cast<double>(b.dimensions[0] * columns);
    return problem;
  };
  return kernel;
}

Problem ttm_problem(Inputs& inputs, const std::string& input) {
  constexpr std::int64_t columns = 16;
  const Storage b = inputs.tensor(input);
  const Storage c = generate_dense({b.dimensions[2], columns}, 2);
  const Format result = parse_format("compressed,compressed,dense", 3);
  Problem problem{Operation::Ttm, input, {parse_statement(ttm), {{"B", b}, {"C", c}}, result, {}, {}, {}}};
  const auto fibres = static_cast<double>(b.levels[1].positions);
  problem.bytes = bytes_of(b) + bytes_of(c) + (4 + 8.0 * columns) * fibres;
  return problem;
}

Problem ttv_problem(Inputs& inputs, const std::string& input) {
  const Storage b = inputs.tensor(input);
  const Storage c = generate_dense({b.dimensions[2]}, 2);
  Problem problem{Operation::Ttv, input, {parse_statement(ttv), {{"B", b}, {"c", c}}, csf_format(2), {}, {}, {}}};
  problem.bytes = bytes_of(b) + bytes_of(c) + 12.0 * static_cast<double>(b.levels[1].positions);
  return problem;
}

}  // namespace

std::vector<Kernel> tensor_kernels() {
  return {mttkrp_kernel(16),
          mttkrp_kernel(32),
          {"ttm-16", ttm, "B, C and A once", {1.3}, "", every_tensor, ttm_problem},
          {"ttv", ttv, "B, c and A once", {1.3, 0.7}, "", every_tensor, ttv_problem}};
}

}  // namespace lacuna::contest
