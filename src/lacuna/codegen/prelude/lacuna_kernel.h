/* The storage descriptor and kernel ABI of Lacuna, version 4. Plain C99; also valid C++. See
 * docs/reference/kernel-abi.md. */
#ifndef LACUNA_KERNEL_H
#define LACUNA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LACUNA_ABI_VERSION 4

/* What a kernel returns. */
enum { LACUNA_OK = 0, LACUNA_OUT_OF_MEMORY = 1, LACUNA_BAD_ARGUMENT = 2 };

/* Memory spaces: of lacuna_array.space. Kernels that processors run take arrays in memory that processors reach. */
enum { LACUNA_HOST = 0 };

/* Element types: of lacuna_array.type and lacuna_tensor.type. */
enum {
  LACUNA_BOOL = 0,
  LACUNA_INT8 = 1,
  LACUNA_INT16 = 2,
  LACUNA_INT32 = 3,
  LACUNA_INT64 = 4,
  LACUNA_UINT8 = 5,
  LACUNA_UINT16 = 6,
  LACUNA_UINT32 = 7,
  LACUNA_UINT64 = 8,
  LACUNA_FLOAT32 = 9,
  LACUNA_FLOAT64 = 10,
  LACUNA_COMPLEX64 = 11,
  LACUNA_COMPLEX128 = 12
};

/* A run of elements. Element i of the logical array is data[i - base], so that a piece of a larger array keeps global
   positions without a pointer that leaves its object. `type` has to be set wherever there is an array. */
typedef struct lacuna_array {
  void *data;
  int64_t size; /* elements */
  int64_t base;
  int32_t type;
  int32_t space; /* where data points to */
} lacuna_array;

/* Level kinds. */
enum {
  LACUNA_DENSE = 0,
  LACUNA_COMPRESSED = 1,
  LACUNA_SINGLETON = 2,
  LACUNA_BITMAP = 3,
  LACUNA_HASHED = 4,
  LACUNA_NODES = 5
};

/* One level of storage. Coordinates are global and lie in [origin, origin + extent).
   dense:      child = parent * extent + (c - origin)
   compressed: children of p are pos[p] .. pos[p+1]-1, with coordinates crd[.]
   singleton:  child = parent, with coordinate crd[parent]
   bitmap:     as dense, stored where present[child] != 0
   hashed:     slots pos[p] .. pos[p+1]-1 (a power of two or none), crd[slot] < 0 is empty
   nodes:      nodes[0] is the record that tells what is in use, behind it come an arena a node type and the arrays of
               pools, as docs/reference/kernel-abi.md says; parent p has the root with index p */
typedef struct lacuna_level {
  int32_t kind;
  int64_t origin;
  int64_t extent;
  int64_t positions; /* child positions of this level */
  lacuna_array pos;
  lacuna_array crd;
  lacuna_array present;
  lacuna_array *nodes; /* NULL but for levels of nodes */
  int64_t node_arrays;
} lacuna_level;

/* A tensor. levels are outermost first; mode_of_level[k] says which mode level k stores. */
typedef struct lacuna_tensor {
  int32_t version; /* LACUNA_ABI_VERSION */
  int32_t order;
  int32_t type;
  const int64_t *dimensions; /* by mode, global */
  const int32_t *mode_of_level; /* by level */
  lacuna_level *levels;
  lacuna_array vals;
} lacuna_tensor;

/* A reference to no record of an arena; others are indices into it. */
#define LACUNA_NULL UINT32_MAX

/* The loop for (i = begin; i < end; i += step), whose iterations threads share. */
typedef struct lacuna_loop {
  int64_t begin;
  int64_t end;
  int64_t step; /* at least 1 */
  int64_t chunk; /* iterations that a thread gets at a time; 0: the context chooses */
  int32_t fixed; /* which thread gets an iteration depends on the numbers of threads and iterations alone */
  int32_t ordered; /* threads take turns, see lacuna_share */
} lacuna_loop;

/* What one thread gets of a loop. `next` sets begin and end to its next iterations, for (i = begin; i < end; i +=
   step), and returns 0 when there are none left. `take_turn` waits until the tasks of all threads with lower numbers
   have ended; it is there for loops that are `ordered`. */
typedef struct lacuna_share {
  int64_t begin;
  int64_t end;
  int32_t thread; /* 0 to lacuna_context.threads - 1 */
  int32_t (*next)(struct lacuna_share *share);
  void (*take_turn)(struct lacuna_share *share);
  int64_t position; /* the context's own, as is what follows */
  int64_t chunk;
  int64_t stride;
  struct lacuna_team *team;
} lacuna_share;

struct lacuna_context;

/* Runs one thread's iterations of a loop. `used` is what the kernel gives all threads. A status other than LACUNA_OK
   ends the loop. */
typedef int32_t (*lacuna_task)(struct lacuna_context *context, void *used, lacuna_share *share);

/* What a kernel gets from its caller: memory, and threads. `allocate`, `resize` and `release` may be called from
   several threads at once. NULL means that there is no memory; `bytes` is never 0. When a kernel fails, the caller
   frees everything that was allocated through the context and not released. `parallel_for` calls the task once on each
   thread that takes part, at most `threads`, and returns when all have ended: LACUNA_OK, or the status of one that
   failed. */
typedef struct lacuna_context {
  void *state;
  void *(*allocate)(void *state, size_t bytes, int32_t zeroed);
  void *(*resize)(void *state, void *memory, size_t bytes); /* as realloc; on NULL the old memory stays */
  void (*release)(void *state, void *memory);
  int32_t (*parallel_for)(struct lacuna_context *context, const lacuna_loop *loop, lacuna_task task, void *used);
  int32_t threads; /* at least 1 */
} lacuna_context;

/* The entry point every kernel has besides its named one: arguments in the order of its description, result first. */
typedef int32_t (*lacuna_entry)(lacuna_context *context, lacuna_tensor *const *arguments);

#ifdef __cplusplus
}
#endif
#endif
