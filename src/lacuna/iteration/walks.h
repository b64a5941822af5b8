#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/iteration/lattice.h"
#include "lacuna/iteration/paths.h"

namespace lacuna::iteration {

/// How a loop comes by the children of a level.
enum class Use : std::uint8_t {
  Walked,    // one after the other; decides, with the other walked ones, which coordinates the loop visits
  Followed,  // one after the other, catching up with coordinates that others decide
  Computed,  // dense: the position is arithmetic
  Tested,    // bitmap: arithmetic, and a byte that says whether the entry is stored
  Probed,    // hashed: looked up
  Searched,  // ordered, but bound out of its order: a binary search
};

struct LevelUse {
  int path = 0;
  int level = 0;
  Use use = Use::Walked;
};

/// What a loop walks. The lattice counts first the cursors, then the drained workspaces.
struct Walks {
  std::vector<LevelUse> cursors;  // of operands
  std::vector<LevelUse> drained;  // of workspaces that list the coordinates that they collected
  Lattice lattice;                // where the loop's body may do something
};

/// Where each path stands when a loop begins, by number.
struct Standing {
  std::vector<int> level;    // its levels that are resolved
  std::vector<bool> absent;  // whether it is known to have no entry there
};

/// What a loop over a variable of the statement walks. Where operands alone would have it visit every coordinate, it
/// visits those that workspaces list, if these are all that matter; else it looks entries of workspaces up.
Walks walks_of(const concrete::Program& program, const Paths& paths, const concrete::Forall& f,
               const Standing& standing);

}  // namespace lacuna::iteration
