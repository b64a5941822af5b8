#include "bench/contest/sum.h"

namespace lacuna::contest {

double sum_of(const double* numbers, std::int64_t size, int threads) {
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum) num_threads(threads)
  for (std::int64_t k = 0; k < size; ++k) sum += numbers[k];
  return sum;
}

}  // namespace lacuna::contest
