#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/dynamic/nodes/level_nodes.h"

namespace lacuna::nodes {

/// What is taken of some memory of a dynamic level: nodes of one type, or slots of one pool.
struct Usage {
  std::string name;   // "leaf", or "leaf.N" of a pool
  bool pool = false;  // counts slots, else nodes
  std::int64_t taken = 0;
  std::int64_t given_back = 0;  // of those taken: waiting in the level's free lists
  std::int64_t reserved = 0;
  std::int64_t bytes_each = 0;

  std::int64_t in_use() const { return taken - given_back; }
  std::int64_t free() const { return reserved - in_use(); }
};

/// Of each node type and pool of a dynamic level, in the order of the schema. Free lists that lead outside or in
/// circles throw InternalError.
std::vector<Usage> usage_of(const LevelNodes& nodes);

}  // namespace lacuna::nodes
