// A matrix times a vector: by rows, by columns, and with a sparse vector.

#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

constexpr const char* statement = "y(i) = A(i,j) * x(j)";

Problem with_dense_vector(Operation operation, const std::string& input, const Storage& a) {
  const Storage x = generate_dense({a.dimensions[1]}, 2);
  Problem problem{operation, input, {parse_statement(statement), {{"A", a}, {"x", x}}, dense_format(1), {}, {}, {}}};
  problem.bytes = bytes_of(a) + bytes_of(x) + 8.0 * static_cast<double>(a.dimensions[0]);
  return problem;
}

Problem with_sparse_vector(const std::string& input, const Storage& rows) {
  const std::int64_t columns = rows.dimensions[1];
  const Storage a = convert(rows, csc_format());
  const Storage x = build(generate_uniform({columns}, (columns + 99) / 100, 2), csf_format(1));
  Problem problem{
      Operation::SpmvSparse, input, {parse_statement(statement), {{"A", a}, {"x", x}}, csf_format(1), {}, {}, {}}};
  // The columns that x selects, each entry of them read and, at most, written once.
  const double share = static_cast<double>(x.stored()) / static_cast<double>(columns);
  problem.bytes = bytes_of(x) + 24.0 * share * static_cast<double>(a.stored());
  return problem;
}

}  // namespace

std::vector<Kernel> spmv_kernels() {
  const Goal goal{1.0, 0.85, {"stencil", "banded"}};
  return {
      {"spmv-csr", statement, "A, x and y once", goal, "", every_matrix,
       [](Inputs& inputs, const std::string& input) {
         return with_dense_vector(Operation::Spmv, input, inputs.matrix(input));
       }},
      {"spmv-csc",
       statement,
       "A, x and y once",
       {1.0},
       "",
       every_matrix,
       [](Inputs& inputs, const std::string& input) {
         return with_dense_vector(Operation::SpmvColumns, input, convert(inputs.matrix(input), csc_format()));
       }},
      {"spmv-sparse-vector",
       statement,
       "x, the average columns that it selects, and as many entries of y",
       {1.0},
       "",
       every_matrix,
       [](Inputs& inputs, const std::string& input) { return with_sparse_vector(input, inputs.matrix(input)); }},
  };
}

}  // namespace lacuna::contest
