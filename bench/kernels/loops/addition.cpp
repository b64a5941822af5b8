// Sums and element-wise products: merges of sorted rows.

#include <algorithm>
#include <limits>

#include "bench/kernels/loops/assemble.h"
#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

struct Add {
  Problem problem;
  int threads;
  CompressedRows b = compressed_rows(problem.operand("B"));
  CompressedRows c = compressed_rows(problem.operand("C"));
  RowsInProgress last = {};

  std::int32_t row(std::int64_t i, std::int32_t* crd, double* values) const {
    std::int32_t p = b.pos[i];
    std::int32_t q = c.pos[i];
    const std::int32_t p_end = b.pos[i + 1];
    const std::int32_t q_end = c.pos[i + 1];
    std::int32_t count = 0;
    const auto put = [&](std::int32_t j, double value) {
      if (crd != nullptr) {
        crd[count] = j;
        values[count] = value;
      }
      ++count;
    };
    while (p < p_end && q < q_end) {
      const std::int32_t j = std::min(b.crd[p], c.crd[q]);
      const bool in_b = b.crd[p] == j;
      const bool in_c = c.crd[q] == j;
      put(j, in_b && in_c ? b.values[p] + c.values[q] : in_b ? b.values[p] : c.values[q]);
      p += in_b;
      q += in_c;
    }
    for (; p < p_end; ++p) put(b.crd[p], b.values[p]);
    for (; q < q_end; ++q) put(c.crd[q], c.values[q]);
    return count;
  }
  void run() {
    last = assemble_rows(b.rows, b.stored() + c.stored(), threads,
                         [this](std::int64_t i, std::int32_t* crd, double* values) { return row(i, crd, values); });
  }
  Storage result() const { return rows_result(b.rows, b.columns, last.pos, last.crd, last.values); }
  void clear() { last = {}; }
};

struct Add3 {
  Problem problem;
  int threads;
  CompressedRows operands[3] = {compressed_rows(problem.operand("B")), compressed_rows(problem.operand("C")),
                                compressed_rows(problem.operand("D"))};
  RowsInProgress last = {};

  std::int32_t row(std::int64_t i, std::int32_t* crd, double* values) const {
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
    const auto& [b, c, d] = operands;
    std::int32_t p = b.pos[i];
    std::int32_t q = c.pos[i];
    std::int32_t r = d.pos[i];
    std::int32_t count = 0;
    while (true) {
      const std::int32_t j_b = p < b.pos[i + 1] ? b.crd[p] : none;
      const std::int32_t j_c = q < c.pos[i + 1] ? c.crd[q] : none;
      const std::int32_t j_d = r < d.pos[i + 1] ? d.crd[r] : none;
      const std::int32_t j = std::min({j_b, j_c, j_d});
      if (j == none) return count;
      double sum = 0;
      if (j_b == j) sum += b.values[p++];
      if (j_c == j) sum += c.values[q++];
      if (j_d == j) sum += d.values[r++];
      if (crd != nullptr) {
        crd[count] = j;
        values[count] = sum;
      }
      ++count;
    }
  }
  void run() {
    const std::int64_t most = operands[0].stored() + operands[1].stored() + operands[2].stored();
    last = assemble_rows(operands[0].rows, most, threads,
                         [this](std::int64_t i, std::int32_t* crd, double* values) { return row(i, crd, values); });
  }
  Storage result() const { return rows_result(operands[0].rows, operands[0].columns, last.pos, last.crd, last.values); }
  void clear() { last = {}; }
};

/// The entries of two sorted runs with the same coordinates, multiplied; counts only where crd is null.
std::int32_t intersect(const std::int32_t* crd_b, const double* b, std::int64_t size_b, const std::int32_t* crd_c,
                       const double* c, std::int64_t size_c, std::int32_t* crd, double* values) {
  std::int32_t count = 0;
  std::int64_t p = 0;
  std::int64_t q = 0;
  while (p < size_b && q < size_c) {
    const std::int32_t j_b = crd_b[p];
    const std::int32_t j_c = crd_c[q];
    if (j_b == j_c) {
      if (crd != nullptr) {
        crd[count] = j_b;
        values[count] = b[p] * c[q];
      }
      ++count;
    }
    p += j_b <= j_c;
    q += j_c <= j_b;
  }
  return count;
}

struct Multiply {
  Problem problem;
  int threads;
  CompressedRows b = compressed_rows(problem.operand("B"));
  CompressedRows c = compressed_rows(problem.operand("C"));
  RowsInProgress last = {};

  void run() {
    last = assemble_rows(
        b.rows, std::min(b.stored(), c.stored()), threads, [this](std::int64_t i, std::int32_t* crd, double* values) {
          return intersect(b.crd + b.pos[i], b.values + b.pos[i], b.pos[i + 1] - b.pos[i], c.crd + c.pos[i],
                           c.values + c.pos[i], c.pos[i + 1] - c.pos[i], crd, values);
        });
  }
  Storage result() const { return rows_result(b.rows, b.columns, last.pos, last.crd, last.values); }
  void clear() { last = {}; }
};

struct MultiplyVectors {
  Problem problem;
  SparseVector b = sparse_vector(problem.operand("b"));
  SparseVector c = sparse_vector(problem.operand("c"));
  std::int64_t count = 0;
  Array crd = {};
  Array values = {};

  void run() {
    crd = int_array(std::min(b.stored, c.stored));
    values = double_array(std::min(b.stored, c.stored));
    count = intersect(b.crd, b.values, b.stored, c.crd, c.values, c.stored, ints(crd), doubles(values));
  }
  Storage result() const { return vector_result(b.size, count, crd, values); }
  void clear() { crd = values = Array(); }
};

}  // namespace

Contestant merge_loop(const Problem& problem, int threads) {
  switch (problem.operation) {
    case Operation::Add: return contestant_of("textbook", std::make_shared<Add>(Add{problem, threads}));
    case Operation::Add3: return contestant_of("textbook", std::make_shared<Add3>(Add3{problem, threads}));
    case Operation::Multiply: return contestant_of("textbook", std::make_shared<Multiply>(Multiply{problem, threads}));
    default: return contestant_of("textbook", std::make_shared<MultiplyVectors>(MultiplyVectors{problem}));
  }
}

}  // namespace lacuna::contest
