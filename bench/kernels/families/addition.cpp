// Sums of sparse matrices whose patterns overlap in part: copies of one, with the columns of each rotated further.

#include "bench/kernels/arrays.h"
#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"

namespace lacuna::contest {
namespace {

constexpr const char* add = "A(i,j) = B(i,j) + C(i,j)";
constexpr const char* add3 = "A(i,j) = B(i,j) + C(i,j) + D(i,j)";

/// How many entries the sum of matrices has.
std::int64_t count_union(const std::map<std::string, Storage>& matrices) {
  const Storage& first = matrices.begin()->second;
  std::vector<std::int64_t> seen(static_cast<std::size_t>(first.dimensions[1]), -1);
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < first.dimensions[0]; ++i) {
    for (const auto& [name, matrix] : matrices) {
      const CompressedRows a = compressed_rows(matrix);
      for (std::int32_t p = a.pos[i]; p < a.pos[i + 1]; ++p) {
        std::int64_t& last = seen[static_cast<std::size_t>(a.crd[p])];
        count += last != i;
        last = i;
      }
    }
  }
  return count;
}

Problem sum_of(Operation operation, const std::string& input, const char* statement,
               const std::map<std::string, Storage>& operands) {
  Problem problem{operation, input, {parse_statement(statement), operands, csr_format(), {}, {}, {}}};
  problem.bytes = 12.0 * static_cast<double>(count_union(operands)) +
                  4.0 * static_cast<double>(operands.begin()->second.dimensions[0]);
  for (const auto& [name, operand] : operands) problem.bytes += bytes_of(operand);
  return problem;
}

}  // namespace

std::vector<Kernel> addition_kernels() {
  return {
      {"add",
       add,
       "B, C and A once",
       {1.2},
       "",
       every_matrix,
       [](Inputs& inputs, const std::string& input) {
         const Storage b = inputs.matrix(input);
         return sum_of(Operation::Add, input, add, {{"B", b}, {"C", rotated(b, 1)}});
       }},
      {"add3",
       add3,
       "B, C, D and A once",
       {1.5},
       "",
       every_matrix,
       [](Inputs& inputs, const std::string& input) {
         const Storage b = inputs.matrix(input);
         return sum_of(Operation::Add3, input, add3, {{"B", b}, {"C", rotated(b, 1)}, {"D", rotated(b, 2)}});
       }},
  };
}

}  // namespace lacuna::contest
