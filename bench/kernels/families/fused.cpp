// What takes libraries several calls, and Lacuna one kernel.

#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

constexpr const char* residual = "y(i) = b(i) - A(i,j) * x(j)";
constexpr const char* scaled_sum = "y(i) = alpha * A(i,j) * x(j) + beta * z(i)";

Storage scalar(double value) {
  return adopt_dense({}, Array::of(std::span<const double>(&value, 1)), LevelMap::identity(0));
}

/// A times x, and a vector that is added: two dense vectors are read, one is written.
Problem with_vectors(Operation operation, const std::string& input, const char* statement,
                     std::map<std::string, Storage> operands, const char* added) {
  const Storage& a = operands.at("A");
  const std::int64_t rows = a.dimensions[0];
  const double bytes = bytes_of(a) + 8.0 * static_cast<double>(a.dimensions[1] + 2 * rows);
  operands.emplace("x", generate_dense({a.dimensions[1]}, 2));
  operands.emplace(added, generate_dense({rows}, 3));
  return {operation, input, {parse_statement(statement), operands, dense_format(1), {}, {}, {}}, bytes};
}

}  // namespace

std::vector<Kernel> fused_kernels() {
  return {
      {"fused-residual",
       residual,
       "A, x, b and y once",
       {1.2},
       "",
       every_matrix,
       [](Inputs& inputs, const std::string& input) {
         return with_vectors(Operation::Residual, input, residual, {{"A", inputs.matrix(input)}}, "b");
       }},
      {"fused-scaled-sum",
       scaled_sum,
       "A, x, z and y once",
       {1.2},
       "",
       every_matrix,
       [](Inputs& inputs, const std::string& input) {
         return with_vectors(Operation::ScaledSum, input, scaled_sum,
                             {{"A", inputs.matrix(input)}, {"alpha", scalar(1.5)}, {"beta", scalar(-0.5)}}, "z");
       }},
  };
}

}  // namespace lacuna::contest
