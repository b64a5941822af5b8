#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna::nodes {

/// What is taken of some memory of a dynamic level: nodes of one type, or slots of one pool. What was given back to the
/// level's free lists counts as taken.
struct Usage {
  std::string name;           // "leaf", or "leaf.N" of a pool
  std::int64_t taken = 0;     // nodes or slots
  std::int64_t reserved = 0;  // nodes or slots
  std::int64_t bytes_each = 0;
};

/// Of each node type and pool of a dynamic level of the tensor, in the order of the schema.
std::vector<Usage> usage_of(const Storage& tensor, int level);

}  // namespace lacuna::nodes
