#include "lacuna/codegen/prelude/lacuna_kernel.h"

#include "check.h"

/* The layout is a promise to compiled kernels and to callers in other languages: offsets in bytes on 64-bit machines. */
int main(void) {
  CHECK(LACUNA_ABI_VERSION == 4);
  CHECK(sizeof(lacuna_array) == 32);
  CHECK(offsetof(lacuna_array, size) == 8 && offsetof(lacuna_array, base) == 16 && offsetof(lacuna_array, space) == 28);
  CHECK(sizeof(lacuna_level) == 48 + 3 * sizeof(lacuna_array));
  CHECK(offsetof(lacuna_level, origin) == 8 && offsetof(lacuna_level, extent) == 16);
  CHECK(offsetof(lacuna_level, pos) == 32 && offsetof(lacuna_level, crd) == 64 && offsetof(lacuna_level, nodes) == 128);
  CHECK(sizeof(lacuna_tensor) == 72);
  CHECK(offsetof(lacuna_tensor, dimensions) == 16 && offsetof(lacuna_tensor, levels) == 32);
  CHECK(offsetof(lacuna_tensor, vals) == 40);
  CHECK(sizeof(lacuna_context) == 48);
  CHECK(offsetof(lacuna_context, release) == 24 && offsetof(lacuna_context, parallel_for) == 32);
  CHECK(offsetof(lacuna_context, threads) == 40);
  CHECK(sizeof(lacuna_loop) == 40 && offsetof(lacuna_loop, chunk) == 24 && offsetof(lacuna_loop, fixed) == 32);
  CHECK(offsetof(lacuna_share, end) == 8 && offsetof(lacuna_share, thread) == 16 && offsetof(lacuna_share, next) == 24);
  return 0;
}
