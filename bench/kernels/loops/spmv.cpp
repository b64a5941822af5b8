#include <algorithm>

#include "bench/kernels/arrays.h"
#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

struct ByRows {
  Problem problem;
  int threads;
  CompressedRows a = compressed_rows(problem.operand("A"));
  const double* x = dense_values(problem.operand("x"));
  Array y = double_array(a.rows);

  void run() {
    double* out = doubles(y);
#pragma omp parallel for schedule(dynamic, 512) num_threads(threads)
    for (std::int64_t i = 0; i < a.rows; ++i) {
      double sum = 0;  // not in vector lanes: most rows are too short to gain from gathers
      for (std::int32_t p = a.pos[i]; p < a.pos[i + 1]; ++p) sum += a.values[p] * x[a.crd[p]];
      out[i] = sum;
    }
  }
  Storage result() const { return dense_result({a.rows}, y); }
};

/// Columns scatter into y, which no two threads may do at once: each thread but the first has a copy of its own.
struct ByColumns {
  Problem problem;
  int threads;
  CompressedRows a = compressed_rows(problem.operand("A"));  // a row of these arrays is a column of A
  const double* x = dense_values(problem.operand("x"));
  Array y = double_array(a.columns);
  Array copies = double_array(a.columns * (threads - 1));

  void run() {
    double* out = doubles(y);
    double* spare = doubles(copies);
    const std::int64_t m = a.columns;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
      for (int t = 0; t < threads; ++t) {
        double* sums = t == 0 ? out : spare + (t - 1) * m;
        std::fill_n(sums, m, 0.0);
        for (std::int64_t j = a.rows * t / threads; j < a.rows * (t + 1) / threads; ++j) {
          const double factor = x[j];
          for (std::int32_t p = a.pos[j]; p < a.pos[j + 1]; ++p) sums[a.crd[p]] += a.values[p] * factor;
        }
      }
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < m; ++i) {
        for (int t = 1; t < threads; ++t) out[i] += spare[(t - 1) * m + i];
      }
    }
  }
  Storage result() const { return dense_result({a.columns}, y); }
};

/// Sums in a dense workspace that is kept zero between runs, and a list of what was touched, sorted in the end.
struct SparseByColumns {
  Problem problem;
  CompressedRows a = compressed_rows(problem.operand("A"));
  SparseVector x = sparse_vector(problem.operand("x"));
  Array sums = Array::allocate(Type::Float64, a.columns, true);
  Array seen = Array::allocate(Type::UInt8, a.columns, true);
  std::int64_t count = 0;
  Array crd = {};
  Array values = {};

  void run() {
    double* sum = doubles(sums);
    auto* mark = static_cast<unsigned char*>(seen.mutable_data());
    std::int64_t most = 0;
    for (std::int64_t q = 0; q < x.stored; ++q) most += a.pos[x.crd[q] + 1] - a.pos[x.crd[q]];
    most = std::min(most, a.columns);
    crd = int_array(most);
    values = double_array(most);
    std::int32_t* list = ints(crd);
    count = 0;
    for (std::int64_t q = 0; q < x.stored; ++q) {
      const std::int32_t j = x.crd[q];
      for (std::int32_t p = a.pos[j]; p < a.pos[j + 1]; ++p) {
        const std::int32_t i = a.crd[p];
        if (mark[i] == 0) {
          mark[i] = 1;
          list[count++] = i;
        }
        sum[i] += a.values[p] * x.values[q];
      }
    }
    std::sort(list, list + count);
    double* out = doubles(values);
    for (std::int64_t k = 0; k < count; ++k) {
      out[k] = sum[list[k]];
      sum[list[k]] = 0;
      mark[list[k]] = 0;
    }
  }
  Storage result() const { return vector_result(a.columns, count, crd, values); }
  void clear() { crd = values = Array(); }
};

}  // namespace

Contestant spmv_loop(const Problem& problem, int threads) {
  if (problem.operation == Operation::Spmv) {
    return contestant_of("textbook", std::make_shared<ByRows>(ByRows{problem, threads}));
  }
  if (problem.operation == Operation::SpmvColumns) {
    return contestant_of("textbook", std::make_shared<ByColumns>(ByColumns{problem, threads}));
  }
  return contestant_of("textbook", std::make_shared<SparseByColumns>(SparseByColumns{problem}));
}

}  // namespace lacuna::contest
