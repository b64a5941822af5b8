#include "lacuna/codegen/prelude/divide.h"

#include "check.h"

int main(void) {
  CHECK(lacuna_divide_int32(7, 2) == 3);
  CHECK(lacuna_divide_int32(-7, 2) == -3);
  CHECK(lacuna_divide_int32(7, -1) == -7);
  CHECK(lacuna_divide_int32(7, 0) == 0);
  CHECK(lacuna_divide_int32(INT32_MIN, -1) == INT32_MIN);
  CHECK(lacuna_divide_uint32(UINT32_MAX, 2) == 2147483647);
  CHECK(lacuna_divide_uint32(7, 0) == 0);
  CHECK(lacuna_modulo_int32(-7, 2) == -1);
  CHECK(lacuna_modulo_int32(7, 0) == 0);
  CHECK(lacuna_modulo_int32(INT32_MIN, -1) == 0);
  CHECK(lacuna_modulo_uint32(7, 4) == 3);
  CHECK(lacuna_modulo_uint32(7, 0) == 0);
  return 0;
}
