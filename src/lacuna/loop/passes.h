#pragma once

#include <string>

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// The module as text a person reads (used by `lacuna show --stage loops` and golden tests): C-like, one statement a
/// line, two spaces an indent.
std::string to_string(const Module& module);
std::string to_string(const Stmt& stmt);
std::string to_string(const Expr& expr);

/// Throws InternalError when the module is ill-formed: a use before its declaration or out of scope, a name used twice,
/// types that disagree, Break outside a loop, stores to arrays of parameters not marked `written`, calls that match no
/// function.
void verify(const Module& module);

/// Constant folding (never of float arithmetic that could change results), algebraic identities on index arithmetic,
/// removal of dead branches, empty loops, unused declarations without effects, and single-use copies. Idempotent; keeps
/// the meaning.
Module simplify(const Module& module);

/// The kernel's innermost loops of few turns, as many as is known, whose iterations each store to a floating-point
/// element of their own, go to vector lanes. C compilers write such loops out before they look for vectors, and then
/// find none.  for (i = 0; i < 16; i++) w[k + i] += v[i] * x;  ->  vector for (…)
Module vectorize_short_loops(const Module& module);

/// The kernel's loops that are written out whole, and store to neighbouring elements what neighbouring elements give,
/// as loops of vectors of so many bytes: the field `lanes`, and the loads that are `wide`. Where the length is a
/// multiple of a vector's.
///   for (k = 0; k < 32; k++) unroll(32) { w[k] += a * X[at + k]; }
///   ->  vector for (k = 0; k < 32; k++) lanes(4) { w[k] += a * wide X[at + k]; }
Module vectorize_rows(const Module& module, int vector_bytes);

/// Stores that may go past the caches do so only in whole vectors, to arrays that were there before the kernel began,
/// whose sizes are known. Elsewhere `past_caches` goes. Who stores so ends with a fence: each thread of a parallel
/// loop, and the kernel.
Module stream_stores(const Module& module);

/// The kernel's serial loops in each of whose iterations a loop goes through a segment of positions, shortly: where one
/// segment ends, the next one begins, which is not read again. Sparse matrices times vectors take some per cent less.
///   for (i = 0; …) for (p = pos[i]; p < pos[i + 1]; p++)
///   -> end = pos[0]; for (i = 0; …) { begin = end; end = pos[i + 1]; for (p = begin; p < end; p++) }
/// Arrays of positions have one more element than there are segments: the first one is there.
Module carry_ends(const Module& module);

/// How the threads of parallel loops share iterations, and whether a loop can do with less of what is each thread's
/// own: the fields `fixed`, `ordered` and `OwnSum::reuses`. The order of a sum must not depend on who is done first.
///   parallel for (…) reduce(s +=) { … }  ->  parallel for (…) reduce(s +=) fixed ordered { … }
Module partition(const Module& module);

/// Parallel loops become functions, which the context of a kernel calls on each of its threads: the field `task`. Those
/// inside of others do not: each thread runs them alone.
///   parallel for (i…) { y[i] = x[i]; }  ->  parallel for (i…) task(copy_i: x, y) { y[i] = x[i]; }
Module outline(const Module& module);

/// How threads of a device are arranged.
struct LaunchShape {
  std::int64_t threads = 256;       // of a block
  std::int64_t warp = 32;           // threads that run in step
  bool warps_meet = true;           // whether threads of a warp exchange values while others of the block do not
  std::int64_t most_blocks = 1024;  // of launches whose threads each have memory, or a sum, of their own
  std::int64_t most_bytes = std::int64_t{1} << 31;  // of that memory, unless one thread needs more
};

/// The kernel as a program of the host, which launches functions of a device. All arrays are then on the device.
/// Parallel loops become launches with a thread for each iteration; those with memory or sums of their own have fewer
/// threads, each with several iterations. Serial statements that touch arrays become launches of one thread. What the
/// host has to know of arrays, it reads back. Sums are added up in the order of the threads, so that runs are alike;
/// those of the threads of a block or warp, in a tree.
///   parallel for (i = 0; i < n; i++) { y[i] = x[i]; }
///   -> launch k_i(block of (n + 255) / 256, thread of 256: n, x, y) { i = …; if (i < n) { y[i] = x[i]; } }
/// Throws Error where a device cannot do what the loops do: threads that allocate, arrays that grow, calls of BLAS.
Module offload(const Module& module, const LaunchShape& shape);

}  // namespace lacuna::loop
