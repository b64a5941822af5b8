#include "lacuna/codegen/prelude/complex.h"

#include <complex.h>
#include <math.h>

#include "check.h"

int main(void) {
  const double _Complex a = lacuna_complex128(1, 2);
  const double _Complex b = lacuna_complex128(3, -1);
  CHECK(creal(a) == 1 && cimag(a) == 2);
  CHECK(lacuna_multiply_complex128(a, b) == lacuna_complex128(5, 5));
  CHECK(lacuna_square_complex128(a) == lacuna_complex128(-3, 4));
  CHECK(lacuna_cube_complex128(a) == lacuna_complex128(-11, -2));
  CHECK(lacuna_norm_complex128(a) == 5);
  /* The product is written out: an infinite factor is not repaired. */
  CHECK(isnan(cimag(lacuna_multiply_complex128(lacuna_complex128(INFINITY, 0), lacuna_complex128(1, 0)))));
  CHECK(signbit(cimag(lacuna_complex128(1, -0.0))));
  CHECK(lacuna_is_nan_complex128(lacuna_complex128(0, NAN)) && !lacuna_is_nan_complex128(a));
  CHECK(lacuna_is_inf_complex128(lacuna_complex128(INFINITY, NAN)) && !lacuna_is_inf_complex128(a));
  CHECK(lacuna_is_finite_complex128(a) && !lacuna_is_finite_complex128(lacuna_complex128(NAN, 0)));
  return 0;
}
