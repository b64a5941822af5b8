#include "lacuna/codegen/prelude/search.h"

#include "check.h"

/* Every key against every stretch of an array with repetitions, compared with a walk from the left. */
int main(void) {
  const int32_t a[] = {-5, -5, 0, 1, 1, 1, 7, 9, 9, 12};
  for (int64_t low = 0; low <= 10; low++) {
    for (int64_t high = low; high <= 10; high++) {
      for (int64_t key = -6; key <= 13; key++) {
        int64_t expected = low;
        while (expected < high && a[expected] < key) expected++;
        CHECK(lacuna_lower_bound_int32(a, low, high, key) == expected);
        CHECK(lacuna_lower_bound_near_int32(a, low, high, key) == expected);
      }
    }
  }
  CHECK(lacuna_lower_bound_int32(a, 0, 10, INT64_C(1) << 32) == 10);
  CHECK(lacuna_lower_bound_near_int32(a, 0, 10, INT64_C(1) << 32) == 10);
  CHECK(lacuna_lower_bound_int32(NULL, 0, 0, 1) == 0);
  CHECK(lacuna_lower_bound_near_int32(NULL, 0, 0, 1) == 0);
  return 0;
}
