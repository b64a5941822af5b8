#include "bench/kernels/arrays.h"
#include "bench/kernels/loops/loops.h"

namespace lacuna::contest {
namespace {

/// y = a * A x + b * z in one pass.
struct ScaledSum {
  Problem problem;
  int threads;
  double factor;
  double addend_factor;
  const double* z;
  CompressedRows a = compressed_rows(problem.operand("A"));
  const double* x = dense_values(problem.operand("x"));
  Array y = double_array(a.rows);

  void run() {
    double* out = doubles(y);
#pragma omp parallel for schedule(dynamic, 512) num_threads(threads)
    for (std::int64_t i = 0; i < a.rows; ++i) {
      double sum = 0;
      for (std::int32_t p = a.pos[i]; p < a.pos[i + 1]; ++p) sum += a.values[p] * x[a.crd[p]];
      out[i] = factor * sum + addend_factor * z[i];
    }
  }
  Storage result() const { return dense_result({a.rows}, y); }
};

}  // namespace

Contestant fused_loop(const Problem& problem, int threads) {
  if (problem.operation == Operation::Residual) {
    const double* b = dense_values(problem.operand("b"));
    return contestant_of("textbook", std::make_shared<ScaledSum>(ScaledSum{problem, threads, -1, 1, b}));
  }
  const double alpha = scalar_value(problem.operand("alpha"));
  const double beta = scalar_value(problem.operand("beta"));
  const double* z = dense_values(problem.operand("z"));
  return contestant_of("textbook", std::make_shared<ScaledSum>(ScaledSum{problem, threads, alpha, beta, z}));
}

}  // namespace lacuna::contest
