#include "lacuna/codegen/prelude/atomic.h"

#include "check.h"

enum { many = 20000 };

int main(void) {
  int32_t count = 0;
  uint32_t bits = 0;
  double sum = 0, least = 1e9, most = -1e9, same = 0;
  double _Complex both = 0, last = 0;
#pragma omp parallel for num_threads(4)
  for (int k = 0; k < many; k++) {
    const double _Complex value = 1.0 + 2.0 * (double _Complex){1.0i};
    lacuna_atomic_add_int32(&count, 1);
    lacuna_atomic_or_uint32(&bits, 1u << (k % 20));
    lacuna_atomic_add_float64(&sum, 0.5);
    lacuna_atomic_min_float64(&least, (double)(k ^ 77));
    lacuna_atomic_max_float64(&most, (double)(k ^ 77));
    lacuna_atomic_set_float64(&same, 3.0);
    lacuna_atomic_add_complex128(&both, value);
    lacuna_atomic_set_complex128(&last, value);
  }
  CHECK(count == many);
  CHECK(bits == (1u << 20) - 1);
  CHECK(sum == many * 0.5);
  CHECK(least == 0 && most >= many - 1);
  CHECK(same == 3.0);
  CHECK(__real__ both == many && __imag__ both == 2.0 * many);
  CHECK(__real__ last == 1.0 && __imag__ last == 2.0);
  return 0;
}
