/* The storage descriptor and kernel ABI of Lacuna, version 3. Plain C99; also valid C++. See
 * docs/reference/kernel-abi.md. */
#ifndef LACUNA_KERNEL_H
#define LACUNA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LACUNA_ABI_VERSION 3

/* What a kernel returns. */
enum { LACUNA_OK = 0, LACUNA_OUT_OF_MEMORY = 1, LACUNA_BAD_ARGUMENT = 2 };

/* Bits of lacuna_array.flags. */
enum {
  LACUNA_SHARED = 1, /* immutable: other tensors share the memory */
  LACUNA_FROM_KERNEL = 2 /* allocated by a kernel through the context; the caller owns it now */
};

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
  int64_t size; /* elements present */
  int64_t capacity; /* elements allocated; at least size */
  int64_t base;
  int32_t type;
  int32_t flags;
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
  int32_t reserved;
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
  int32_t reserved;
  const int64_t *dimensions; /* by mode, global */
  const int32_t *mode_of_level; /* by level */
  lacuna_level *levels;
  lacuna_array vals;
} lacuna_tensor;

/* A set of indices: sorted half-open intervals (data holds 2*count int64) or sorted coordinates (count int64). */
enum { LACUNA_INTERVALS = 0, LACUNA_COORDINATES = 1 };
typedef struct lacuna_index_set {
  int32_t kind;
  int32_t reserved;
  int64_t count;
  const int64_t *data;
} lacuna_index_set;

/* A run, as cursor levels hand them out: n consecutive children from `child` with coordinates crd[0..n). */
typedef struct lacuna_run {
  const int32_t *crd;
  int64_t child;
  int64_t n;
} lacuna_run;

/* A reference to no record of an arena; others are indices into it. */
#define LACUNA_NULL UINT32_MAX

/* Where a kernel gets memory from. When a kernel fails, the caller frees everything that was allocated through the
   context and not released. NULL means that there is no memory; `bytes` is never 0. A parallel kernel may call from
   several threads at once. */
typedef struct lacuna_context {
  void *state;
  void *(*allocate)(void *state, size_t bytes, int32_t zeroed);
  void *(*resize)(void *state, void *memory, size_t bytes); /* as realloc; on NULL the old memory stays */
  void (*release)(void *state, void *memory);
  int32_t threads; /* at least 1 */
  int32_t reserved;
} lacuna_context;

/* The entry point every kernel has besides its named one: arguments in the order of its description, result first. */
typedef int32_t (*lacuna_entry)(lacuna_context *context, lacuna_tensor *const *arguments);

#ifdef __cplusplus
}
#endif
#endif
