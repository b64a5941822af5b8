// Element-wise products: of patterns that overlap in part, and of ones of very different lengths.

#include "bench/kernels/kernel.h"
#include "lacuna/notation/parse.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::contest {
namespace {

constexpr const char* matrices = "A(i,j) = B(i,j) * C(i,j)";
constexpr const char* vectors = "a(i) = b(i) * c(i)";

Problem matrix_problem(const std::string& input, const Storage& b, const Storage& c) {
  return {Operation::Multiply,
          input,
          {parse_statement(matrices), {{"B", b}, {"C", c}}, csr_format(), {}, {}, {}},
          bytes_of(b) + bytes_of(c)};
}

/// 1000 entries a row against two.
Problem long_rows(Inputs& inputs, const std::string& input) {
  const std::int64_t rows = inputs.shrunk(10'000);
  constexpr std::int64_t columns = 100'000;
  return matrix_problem(input, build(generate_uniform({rows, columns}, 1000 * rows, 1), csr_format()),
                        build(generate_uniform({rows, columns}, 2 * rows, 2), csr_format()));
}

/// Millions of entries against thousands.
Problem vector_problem(Inputs& inputs, const std::string& input) {
  const std::int64_t size = inputs.shrunk(20'000'000);
  const Storage b = build(generate_uniform({size}, size / 5, 1), csf_format(1));
  const Storage c = build(generate_uniform({size}, size / 5000, 2), csf_format(1));
  return {Operation::MultiplyVectors,
          input,
          {parse_statement(vectors), {{"b", b}, {"c", c}}, csf_format(1), {}, {}, {}},
          bytes_of(b) + bytes_of(c)};
}

}  // namespace

std::vector<Kernel> intersection_kernels() {
  return {
      {"multiply",
       matrices,
       "B and C once; A is not counted",
       {1.2},
       "",
       every_matrix,
       [](Inputs& inputs, const std::string& input) {
         const Storage b = inputs.matrix(input);
         return matrix_problem(input, b, rotated(b, 1));
       }},
      {"multiply-skewed-vectors",
       vectors,
       "b and c once, though not all need be read",
       {3},
       "",
       [](Inputs&) { return std::vector<std::string>{"long-and-short"}; },
       vector_problem},
      {"multiply-skewed-rows",
       matrices,
       "B and C once, though not all need be read",
       {3},
       "",
       [](Inputs&) { return std::vector<std::string>{"long-and-short-rows"}; },
       long_rows},
  };
}

}  // namespace lacuna::contest
