#include "lacuna/codegen/prelude/math.h"

#include <math.h>

#include "check.h"

static void numbers(void) {
  CHECK(lacuna_min_float64(1, 2) == 1);
  CHECK(lacuna_max_float64(1, 2) == 2);
  CHECK(lacuna_min_float64(1, NAN) == 1);
  CHECK(isnan(lacuna_min_float64(NAN, 1)));
  CHECK(signbit(lacuna_min_float64(-0.0, 0.0)));
  CHECK(!signbit(lacuna_max_float64(0.0, -0.0)));
  CHECK(lacuna_abs_int32(-3) == 3);
  CHECK(lacuna_abs_int32(INT32_MIN) == INT32_MIN);
  CHECK(lacuna_square_float64(-3) == 9);
  CHECK(lacuna_cube_float64(-3) == -27);
}

static void signs(void) {
  CHECK(lacuna_sign_float64(-2) == -1);
  CHECK(lacuna_sign_float64(0) == 0);
  CHECK(lacuna_sign_float64(NAN) == 0);
  CHECK(lacuna_sign_uint32(9) == 1);
  CHECK(lacuna_heaviside_float64(-1, 0.5) == 0);
  CHECK(lacuna_heaviside_float64(0, 0.5) == 0.5);
  CHECK(lacuna_heaviside_float64(3, 0.5) == 1);
  CHECK(lacuna_heaviside_uint32(0, 7) == 7);
  CHECK(lacuna_heaviside_uint32(2, 7) == 1);
}

static void kinds(void) {
  CHECK(lacuna_is_nan_float64(NAN) && !lacuna_is_nan_float64(1));
  CHECK(lacuna_is_inf_float64(-INFINITY) == 1 && !lacuna_is_inf_float64(NAN));
  CHECK(lacuna_is_finite_float64(1) && !lacuna_is_finite_float64(INFINITY) && !lacuna_is_finite_float64(NAN));
}

int main(void) {
  numbers();
  signs();
  kinds();
  return 0;
}
