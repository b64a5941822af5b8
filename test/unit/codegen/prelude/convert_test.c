#include "lacuna/codegen/prelude/convert.h"

#include <math.h>

#include "check.h"

int main(void) {
  CHECK(lacuna_to_int32(2.9) == 2);
  CHECK(lacuna_to_int32(-2.9) == -2);
  CHECK(lacuna_to_int32(NAN) == 0);
  CHECK(lacuna_to_int32(INFINITY) == INT32_MAX);
  CHECK(lacuna_to_int32(-INFINITY) == INT32_MIN);
  CHECK(lacuna_to_int32(2147483647.0) == INT32_MAX);
  CHECK(lacuna_to_int32(2147483646.9) == INT32_MAX - 1);
  CHECK(lacuna_to_int32(2147483648.0) == INT32_MAX);
  CHECK(lacuna_to_int32(-2147483648.9) == INT32_MIN);
  CHECK(lacuna_to_uint32(4294967295.0) == UINT32_MAX);
  CHECK(lacuna_to_uint32(4294967294.9) == UINT32_MAX - 1);
  CHECK(lacuna_to_uint32(4294967296.0) == UINT32_MAX);
  CHECK(lacuna_to_uint32(0.9) == 0);
  CHECK(lacuna_to_uint32(-5.0) == 0);
  CHECK(lacuna_to_uint32(NAN) == 0);
  return 0;
}
