#pragma once

#include <optional>
#include <set>

#include "lacuna/loop/ir.h"

namespace lacuna {

/// A loop of constant length that stores to neighbouring elements what neighbouring elements give, written out whole:
/// it can be printed with vectors, several iterations each. Compilers find the same in scalar code, but take long over
/// it once the loop is long.
struct VectorLoop {
  Type element = Type::Float64;
  int lanes = 1;                         // of a vector
  std::set<const loop::ExprNode*> wide;  // the loads of neighbouring elements
};

/// Arrays to which such loops make the last stores that a kernel makes to an element: where there are many, these go
/// past the caches, which would read first what is written over, and keep what nobody asks for.
std::set<loop::Var> streamed_arrays(const loop::Stmt& body, int vector_bytes);

/// The loop with vectors of so many bytes; none where it is not such a loop, or its length no multiple of a vector's.
std::optional<VectorLoop> vector_loop(const loop::For& loop, int vector_bytes);

}  // namespace lacuna
