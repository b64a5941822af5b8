// From one format into another.

#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna::contest {
namespace {

constexpr const char* matrix_copy = "B(i,j) = A(i,j)";
constexpr const char* tensor_copy = "B(i,j,k) = A(i,j,k)";
constexpr const char* once = "A and B once, without what they share";
const Goal goal{1.1};

/// `twin` is a tensor of the same entries stored as the result is: its size.
Problem conversion(Operation operation, const std::string& input, const Storage& a, const Storage& twin) {
  return {operation,
          input,
          {parse_statement(a.order() == 3 ? tensor_copy : matrix_copy), {{"A", a}}, twin.format, {}, {}, {}},
          bytes_of(a) + bytes_of(twin)};
}

Problem from_coordinates(Operation operation, const std::string& input, const Storage& twin) {
  CoordinateList list = coordinates_of(twin);
  const bool sorted = operation != Operation::ShuffledToRows;
  if (!sorted) list = shuffled(list);
  return conversion(operation, input, adopt_coo(list.dimensions, list.coordinates, list.values, sorted, true), twin);
}

Problem from_rows(Operation operation, const std::string& input, const Storage& a, const Format& format) {
  const Storage twin = convert(a, format);
  Problem problem = conversion(operation, input, a, twin);
  if (operation == Operation::RowsToSparseRows) {
    // Columns and values stay where they are, and are shared.
    problem.bytes =
        static_cast<double>(a.levels[1].pos.bytes() + twin.levels[0].crd.bytes() + twin.levels[1].pos.bytes());
  }
  return problem;
}

Kernel matrix_kernel(const char* name, Operation operation) {
  return {name, matrix_copy, once, goal, "", every_matrix, [operation](Inputs& inputs, const std::string& input) {
            const Storage& a = inputs.matrix(input);
            if (operation == Operation::RowsToColumns) return from_rows(operation, input, a, csc_format());
            if (operation == Operation::RowsToSparseRows) return from_rows(operation, input, a, dcsr_format());
            return from_coordinates(operation, input, a);
          }};
}

}  // namespace

std::vector<Kernel> conversion_kernels() {
  return {matrix_kernel("convert-coo-csr", Operation::SortedToRows),
          matrix_kernel("convert-shuffled-coo-csr", Operation::ShuffledToRows),
          matrix_kernel("convert-csr-csc", Operation::RowsToColumns),
          matrix_kernel("convert-csr-dcsr", Operation::RowsToSparseRows),
          {"convert-coo-csf", tensor_copy, once, goal, "", every_tensor, [](Inputs& inputs, const std::string& input) {
             return from_coordinates(Operation::SortedToTree, input, inputs.tensor(input));
           }}};
}

}  // namespace lacuna::contest
