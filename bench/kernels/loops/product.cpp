// The product of sparse matrices by rows (Gustavson), with a dense workspace a thread; a third matrix may be added.

#include <algorithm>
#include <optional>

#include "bench/kernels/loops/assemble.h"
#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

/// One row's sums, and which columns they are of. `row_of` tells whether a column was touched in this row.
struct Workspace {
  explicit Workspace(std::int64_t columns)
      : sums(static_cast<std::size_t>(columns)), row_of(static_cast<std::size_t>(columns), -1) {}
  std::vector<double> sums;
  std::vector<std::int64_t> row_of;
};

struct Product {
  Problem problem;
  int threads;
  CompressedRows a = compressed_rows(problem.operand("A"));
  CompressedRows b = compressed_rows(problem.operand("B"));
  std::optional<CompressedRows> d = {};
  RowsInProgress last = {};

  /// Visits what contributes to row i: visit(column, value).
  template <typename Visit>
  void contributions(std::int64_t i, const Visit& visit) const {
    for (std::int32_t p = a.pos[i]; p < a.pos[i + 1]; ++p) {
      const std::int32_t k = a.crd[p];
      for (std::int32_t q = b.pos[k]; q < b.pos[k + 1]; ++q) visit(b.crd[q], a.values[p] * b.values[q]);
    }
    if (!d) return;
    for (std::int32_t p = d->pos[i]; p < d->pos[i + 1]; ++p) visit(d->crd[p], d->values[p]);
  }

  std::int32_t count_row(std::int64_t i, Workspace& w) const {
    std::int32_t count = 0;
    contributions(i, [&](std::int32_t j, double) {
      std::int64_t& row = w.row_of[static_cast<std::size_t>(j)];
      count += row != i;
      row = i;
    });
    return count;
  }

  /// Rows are told from those of the counting pass by their numbers beyond the last.
  void fill_row(std::int64_t i, Workspace& w, std::int32_t* crd, double* values) const {
    const std::int64_t mark = i + a.rows;
    std::int32_t count = 0;
    contributions(i, [&](std::int32_t j, double value) {
      const auto at = static_cast<std::size_t>(j);
      if (w.row_of[at] == mark) {
        w.sums[at] += value;
        return;
      }
      w.row_of[at] = mark;
      w.sums[at] = value;
      crd[count++] = j;
    });
    std::sort(crd, crd + count);
    for (std::int32_t k = 0; k < count; ++k) values[k] = w.sums[static_cast<std::size_t>(crd[k])];
  }

  void run() {
    last.pos = int_array(a.rows + 1);
    std::int32_t* pos = ints(last.pos);
#pragma omp parallel num_threads(threads)
    {
      Workspace w(b.columns);
#pragma omp for schedule(dynamic, 64)
      for (std::int64_t i = 0; i < a.rows; ++i) pos[i + 1] = count_row(i, w);
#pragma omp single
      {
        const std::int64_t total = sum_counts(pos, a.rows);
        last.crd = int_array(total);
        last.values = double_array(total);
      }
#pragma omp for schedule(dynamic, 64)
      for (std::int64_t i = 0; i < a.rows; ++i) {
        fill_row(i, w, ints(last.crd) + pos[i], doubles(last.values) + pos[i]);
      }
    }
  }
  Storage result() const { return rows_result(a.rows, b.columns, last.pos, last.crd, last.values); }
  void clear() { last = {}; }
};

}  // namespace

Contestant product_loop(const Problem& problem, int threads) {
  auto race = std::make_shared<Product>(Product{problem, threads});
  if (problem.operation == Operation::ProductSum) race->d = compressed_rows(problem.operand("D"));
  return contestant_of("textbook", race);
}

}  // namespace lacuna::contest
