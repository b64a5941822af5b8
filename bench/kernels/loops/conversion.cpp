// Conversions, on one thread: each passes over the entries once or twice, in the order that the result wants.

#include <algorithm>
#include <utility>

#include "bench/kernels/loops/assemble.h"
#include "bench/kernels/loops/loops.h"
#include "lacuna/tensor/build.h"

namespace lacuna::contest {
namespace {

const std::int32_t* coordinates(const Storage& tensor, std::size_t level) {
  return tensor.levels[level].crd.view<std::int32_t>().data();
}
const double* values_of(const Storage& tensor) { return tensor.values.view<double>().data(); }

/// Counts the rows; where the entries are sorted, columns and values are copied as they are.
struct ToRows {
  Problem problem;
  bool sorted;
  const Storage& a = problem.operand("A");
  const std::int32_t* rows = coordinates(a, 0);
  const std::int32_t* columns = coordinates(a, 1);
  const double* values = values_of(a);
  std::int64_t stored = a.values.size();
  std::int64_t row_count = a.dimensions[0];
  RowsInProgress last = {};

  void run() {
    last = {Array::allocate(Type::Int32, row_count + 1, true), int_array(stored), double_array(stored)};
    std::int32_t* pos = ints(last.pos);
    std::int32_t* crd = ints(last.crd);
    double* out = doubles(last.values);
    for (std::int64_t k = 0; k < stored; ++k) ++pos[rows[k] + 1];
    sum_counts(pos, row_count);
    if (sorted) {
      std::copy_n(columns, stored, crd);
      std::copy_n(values, stored, out);
      return;
    }
    std::vector<std::int32_t> next(pos, pos + row_count);
    for (std::int64_t k = 0; k < stored; ++k) {
      const std::int32_t at = next[static_cast<std::size_t>(rows[k])]++;
      crd[at] = columns[k];
      out[at] = values[k];
    }
    std::vector<std::pair<std::int32_t, double>> row;
    for (std::int64_t i = 0; i < row_count; ++i) sort_row(crd + pos[i], out + pos[i], pos[i + 1] - pos[i], row);
  }

  static void sort_row(std::int32_t* crd, double* out, std::int64_t count,
                       std::vector<std::pair<std::int32_t, double>>& row) {
    if (std::is_sorted(crd, crd + count)) return;
    row.clear();
    for (std::int64_t k = 0; k < count; ++k) row.emplace_back(crd[k], out[k]);
    std::sort(row.begin(), row.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::int64_t k = 0; k < count; ++k) {
      std::tie(crd[k], out[k]) = row[static_cast<std::size_t>(k)];
    }
  }

  Storage result() const { return rows_result(row_count, a.dimensions[1], last.pos, last.crd, last.values); }
  void clear() { last = {}; }
};

struct ToColumns {
  Problem problem;
  CompressedRows a = compressed_rows(problem.operand("A"));
  RowsInProgress last = {};

  void run() {
    last = {Array::allocate(Type::Int32, a.columns + 1, true), int_array(a.stored()), double_array(a.stored())};
    std::int32_t* pos = ints(last.pos);
    std::int32_t* crd = ints(last.crd);
    double* out = doubles(last.values);
    for (std::int64_t p = 0; p < a.stored(); ++p) ++pos[a.crd[p] + 1];
    sum_counts(pos, a.columns);
    std::vector<std::int32_t> next(pos, pos + a.columns);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      for (std::int32_t p = a.pos[i]; p < a.pos[i + 1]; ++p) {
        const std::int32_t at = next[static_cast<std::size_t>(a.crd[p])]++;
        crd[at] = static_cast<std::int32_t>(i);
        out[at] = a.values[p];
      }
    }
  }
  Storage result() const { return columns_result(a.rows, a.columns, last.pos, last.crd, last.values); }
  void clear() { last = {}; }
};

/// Lists the rows that have entries; columns and values stay where they are, and are shared.
struct ToSparseRows {
  Problem problem;
  CompressedRows a = compressed_rows(problem.operand("A"));
  std::int64_t count = 0;
  Array rows = {};
  Array pos = {};

  void run() {
    rows = int_array(a.rows);
    pos = int_array(a.rows + 1);
    std::int32_t* row = ints(rows);
    std::int32_t* end = ints(pos);
    end[0] = 0;
    count = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      if (a.pos[i] == a.pos[i + 1]) continue;
      row[count++] = static_cast<std::int32_t>(i);
      end[count] = a.pos[i + 1];
    }
  }
  Storage result() const {
    Storage b = problem.operand("A");
    const std::int32_t ends[] = {0, static_cast<std::int32_t>(count)};
    b.format = dcsr_format();
    b.levels[0].pos = Array::of(std::span<const std::int32_t>(ends));
    b.levels[0].crd = Array::borrow(Type::Int32, rows.data(), count, rows.owner());
    b.levels[0].positions = count;
    b.levels[1].pos = Array::borrow(Type::Int32, pos.data(), count + 1, pos.owner());
    return b;
  }
  void clear() { rows = pos = Array(); }
};

/// One pass over sorted coordinates: a new node wherever a prefix changes. The leaves are the last mode, copied.
struct ToTree {
  Problem problem;
  const Storage& a = problem.operand("A");
  std::int64_t stored = a.values.size();
  Array pos[3] = {};
  Array crd[3] = {};
  Array values = {};

  void run() {
    const std::int32_t* mode[3] = {coordinates(a, 0), coordinates(a, 1), coordinates(a, 2)};
    for (int k = 0; k < 3; ++k) crd[k] = int_array(stored);
    for (int k = 1; k < 3; ++k) pos[k] = int_array(stored + 1);
    values = double_array(stored);
    std::int32_t roots = 0;
    std::int32_t fibres = 0;
    for (std::int64_t e = 0; e < stored; ++e) {
      const bool new_root = e == 0 || mode[0][e] != mode[0][e - 1];
      if (new_root || mode[1][e] != mode[1][e - 1]) {
        if (new_root) {
          ints(pos[1])[roots] = fibres;
          ints(crd[0])[roots++] = mode[0][e];
        }
        ints(pos[2])[fibres] = static_cast<std::int32_t>(e);
        ints(crd[1])[fibres++] = mode[1][e];
      }
    }
    pos[0] = int_array(2);
    ints(pos[0])[0] = 0;
    ints(pos[0])[1] = roots;
    ints(pos[1])[roots] = fibres;
    ints(pos[2])[fibres] = static_cast<std::int32_t>(stored);
    std::copy_n(mode[2], stored, ints(crd[2]));
    std::copy_n(values_of(a), stored, doubles(values));
  }
  Storage result() const {
    Storage b = empty_tensor(Type::Float64, a.dimensions, csf_format(3));
    std::int64_t parents = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      LevelStorage& level = b.levels[k];
      level.pos = Array::borrow(Type::Int32, pos[k].data(), parents + 1, pos[k].owner());
      parents = level.pos.integer(parents);
      level.crd = Array::borrow(Type::Int32, crd[k].data(), parents, crd[k].owner());
      level.positions = parents;
    }
    b.values = values;
    return b;
  }
  void clear() {
    for (int k = 0; k < 3; ++k) pos[k] = crd[k] = Array();
    values = Array();
  }
};

}  // namespace

Contestant conversion_loop(const Problem& problem) {
  switch (problem.operation) {
    case Operation::SortedToRows: return contestant_of("textbook", std::shared_ptr<ToRows>(new ToRows{problem, true}));
    case Operation::ShuffledToRows:
      return contestant_of("textbook", std::shared_ptr<ToRows>(new ToRows{problem, false}));
    case Operation::RowsToColumns: return contestant_of("textbook", std::shared_ptr<ToColumns>(new ToColumns{problem}));
    case Operation::RowsToSparseRows:
      return contestant_of("textbook", std::shared_ptr<ToSparseRows>(new ToSparseRows{problem}));
    default: return contestant_of("textbook", std::shared_ptr<ToTree>(new ToTree{problem}));
  }
}

}  // namespace lacuna::contest
