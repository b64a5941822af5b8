/* What the tests of the prelude share: a check that says what failed. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

static inline void check_that(int holds, const char* what, int line) {
  if (holds) return;
  fprintf(stderr, "line %d: %s does not hold\n", line, what);
  exit(1);
}

#define CHECK(condition) check_that(condition, #condition, __LINE__)

#endif
