#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna::nodes {

/// What is wrong with a dynamic level under so many parents; nothing where its memory is as the schema says: references
/// lead to nodes that exist and were not deleted, each node is reached once, sizes are within their bounds, coordinates
/// are in range and, by the schema, in order, none is there twice, and the elements lead to the positions below, each
/// to one. Whatever the memory holds, nothing outside it is touched. Bounded by O(nodes reached).
std::optional<std::string> find_damage(const Storage& tensor, int level, std::int64_t parents);

}  // namespace lacuna::nodes
