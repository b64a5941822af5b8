#include "lacuna/codegen/prelude/memory.h"

#include "check.h"

/* A context that notes what it is asked for. */
typedef struct asked {
  size_t bytes;
  int32_t zeroed;
  int calls;
} asked;

static void *note(void *state, size_t bytes, int32_t zeroed) {
  asked *a = state;
  a->bytes = bytes;
  a->zeroed = zeroed;
  a->calls++;
  return state;
}

static void *note_resize(void *state, void *memory, size_t bytes) {
  CHECK(memory != NULL);
  return note(state, bytes, 2);
}

static void asks_for_bytes(lacuna_context *ctx, asked *a) {
  CHECK(lacuna_allocate(ctx, 3, 8) == a && a->bytes == 24 && a->zeroed == 0);
  CHECK(lacuna_allocate_zeroed(ctx, 5, 2) == a && a->bytes == 10 && a->zeroed == 1);
  CHECK(lacuna_resize(ctx, a, 7, 4) == a && a->bytes == 28 && a->zeroed == 2);
  CHECK(lacuna_resize(ctx, NULL, 7, 4) == a && a->bytes == 28 && a->zeroed == 0);
  CHECK(lacuna_allocate(ctx, 0, 8) == a && a->bytes == 1);
}

static void refuses_what_cannot_be(lacuna_context *ctx, asked *a) {
  const int calls = a->calls;
  CHECK(lacuna_allocate(ctx, -1, 1) == NULL);
  CHECK(lacuna_allocate(ctx, INT64_MAX, 8) == NULL);
  CHECK(lacuna_allocate_zeroed(ctx, INT64_MAX / 4, 16) == NULL);
  CHECK(lacuna_resize(ctx, a, (int64_t)1 << 61, 8) == NULL);
  CHECK(a->calls == calls);
}

int main(void) {
  asked a = {0, 0, 0};
  lacuna_context ctx = {&a, note, note_resize, NULL, NULL, 1};
  asks_for_bytes(&ctx, &a);
  refuses_what_cannot_be(&ctx, &a);
  return 0;
}
