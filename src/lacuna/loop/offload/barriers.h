#pragma once

#include <set>

#include "lacuna/loop/ir.h"

namespace lacuna::loop::offloading {

/// Where the threads of a group wait for each other, because one of them reads or stores what another one stored.
struct Barriers {
  std::set<const StmtNode*> before;  // these statements
  std::set<const StmtNode*> at_end;  // of each iteration of these loops
  bool of_warps = false;             // whether threads of a warp wait without the rest of the block
  std::set<Var> stored;              // what the group stores to, but for what each thread has for itself

  /// Of a statement outside of parallel loops: whether the first thread executes it.
  bool is_by_first(const Stmt& stmt) const;
};

/// What executes the iterations of the loop is a group: of a block, or a warp. A statement outside of parallel loops is
/// executed by all of a group or, where it stores to an array, by its first thread. `repeats`: a group executes several
/// iterations.
Barriers barriers_of(const For& loop, bool repeats);

}  // namespace lacuna::loop::offloading
