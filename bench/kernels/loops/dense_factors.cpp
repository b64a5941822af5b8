#include <algorithm>

#include "bench/kernels/arrays.h"
#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

struct Spmm {
  Problem problem;
  int threads;
  CompressedRows a = compressed_rows(problem.operand("A"));
  const double* x = dense_values(problem.operand("X"));
  std::int64_t columns = problem.operand("X").dimensions[1];
  Array y = double_array(a.rows * columns);

  void run() {
    double* out = doubles(y);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (std::int64_t i = 0; i < a.rows; ++i) {
      double* __restrict row = out + i * columns;
      std::fill_n(row, columns, 0.0);
      for (std::int32_t p = a.pos[i]; p < a.pos[i + 1]; ++p) {
        const double value = a.values[p];
        const double* __restrict other = x + a.crd[p] * columns;
#pragma omp simd
        for (std::int64_t k = 0; k < columns; ++k) row[k] += value * other[k];
      }
    }
  }
  Storage result() const { return dense_result({a.rows, columns}, y); }
};

struct Sddmm {
  Problem problem;
  int threads;
  CompressedRows b = compressed_rows(problem.operand("B"));
  const double* c = dense_values(problem.operand("C"));
  const double* d = dense_values(problem.operand("D"));
  std::int64_t depth = problem.operand("C").dimensions[1];
  Array values = double_array(b.stored());

  void run() {
    double* out = doubles(values);
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (std::int64_t i = 0; i < b.rows; ++i) {
      const double* left = c + i * depth;
      for (std::int32_t p = b.pos[i]; p < b.pos[i + 1]; ++p) {
        const double* right = d + b.crd[p] * depth;
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t k = 0; k < depth; ++k) sum += left[k] * right[k];
        out[p] = b.values[p] * sum;
      }
    }
  }
  Storage result() const {
    Storage a = problem.operand("B");
    a.values = values;
    return a;
  }
};

}  // namespace

Contestant spmm_loop(const Problem& problem, int threads) {
  return contestant_of("textbook", std::make_shared<Spmm>(Spmm{problem, threads}));
}

Contestant sddmm_loop(const Problem& problem, int threads) {
  return contestant_of("textbook", std::make_shared<Sddmm>(Sddmm{problem, threads}));
}

}  // namespace lacuna::contest
