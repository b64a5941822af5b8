#include <algorithm>

#include "bench/kernels/arrays.h"
#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

struct Mttkrp {
  Problem problem;
  int threads;
  Tree b = tree(problem.operand("B"));
  const double* c = dense_values(problem.operand("C"));
  const double* d = dense_values(problem.operand("D"));
  std::int64_t columns = problem.operand("C").dimensions[1];
  Array a = double_array(b.sizes[0] * columns);

  void run() {
    double* out = doubles(a);
    const std::int64_t n = columns;
#pragma omp parallel num_threads(threads)
    {
      std::vector<double> fibre(static_cast<std::size_t>(n));
      double* __restrict sum = fibre.data();
#pragma omp for schedule(static)
      for (std::int64_t k = 0; k < b.sizes[0] * n; ++k) out[k] = 0;
#pragma omp for schedule(dynamic, 16)
      for (std::int64_t p = 0; p < b.nodes[0]; ++p) {
        double* __restrict row = out + b.crd[0][p] * n;
        for (std::int32_t q = b.pos[1][p]; q < b.pos[1][p + 1]; ++q) {
          std::fill_n(sum, n, 0.0);
          for (std::int32_t r = b.pos[2][q]; r < b.pos[2][q + 1]; ++r) {
            const double value = b.values[r];
            const double* right = d + b.crd[2][r] * n;
#pragma omp simd
            for (std::int64_t l = 0; l < n; ++l) sum[l] += value * right[l];
          }
          const double* left = c + b.crd[1][q] * n;
#pragma omp simd
          for (std::int64_t l = 0; l < n; ++l) row[l] += sum[l] * left[l];
        }
      }
    }
  }
  Storage result() const { return dense_result({b.sizes[0], columns}, a); }
};

struct Ttm {
  Problem problem;
  int threads;
  Tree b = tree(problem.operand("B"));
  const double* c = dense_values(problem.operand("C"));
  std::int64_t columns = problem.operand("C").dimensions[1];
  Array values = {};

  void run() {
    values = double_array(b.nodes[1] * columns);
    double* out = doubles(values);
    const std::int64_t n = columns;
#pragma omp parallel for schedule(dynamic, 256) num_threads(threads)
    for (std::int64_t q = 0; q < b.nodes[1]; ++q) {
      double* __restrict row = out + q * n;
      std::fill_n(row, n, 0.0);
      for (std::int32_t r = b.pos[2][q]; r < b.pos[2][q + 1]; ++r) {
        const double value = b.values[r];
        const double* other = c + b.crd[2][r] * n;
#pragma omp simd
        for (std::int64_t l = 0; l < n; ++l) row[l] += value * other[l];
      }
    }
  }
  Storage result() const {
    Storage a = problem.operand("B");
    a.format = *problem.request.result_format;
    a.dimensions[2] = columns;
    a.levels[2] = LevelStorage();
    a.levels[2].extent = columns;
    a.levels[2].positions = b.nodes[1] * columns;
    a.values = values;
    return a;
  }
  void clear() { values = Array(); }
};

struct Ttv {
  Problem problem;
  int threads;
  Tree b = tree(problem.operand("B"));
  const double* c = dense_values(problem.operand("c"));
  Array values = {};

  void run() {
    values = double_array(b.nodes[1]);
    double* out = doubles(values);
#pragma omp parallel for schedule(dynamic, 1024) num_threads(threads)
    for (std::int64_t q = 0; q < b.nodes[1]; ++q) {
      double sum = 0;
      for (std::int32_t r = b.pos[2][q]; r < b.pos[2][q + 1]; ++r) sum += b.values[r] * c[b.crd[2][r]];
      out[q] = sum;
    }
  }
  Storage result() const {
    Storage a = problem.operand("B");
    a.format = csf_format(2);
    a.dimensions.pop_back();
    a.levels.pop_back();
    a.values = values;
    return a;
  }
  void clear() { values = Array(); }
};

}  // namespace

Contestant tensor_loop(const Problem& problem, int threads) {
  if (problem.operation == Operation::Mttkrp) {
    return contestant_of("textbook", std::make_shared<Mttkrp>(Mttkrp{problem, threads}));
  }
  if (problem.operation == Operation::Ttm) {
    return contestant_of("textbook", std::make_shared<Ttm>(Ttm{problem, threads}));
  }
  return contestant_of("textbook", std::make_shared<Ttv>(Ttv{problem, threads}));
}

}  // namespace lacuna::contest
