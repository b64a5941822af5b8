#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/dynamic/nodes/level_nodes.h"
#include "lacuna/dynamic/nodes/usage.h"
#include "lacuna/tensor/storage.h"

// The dynamic levels of tensors.
namespace lacuna::nodes {

/// The layout of a dynamic level of a tensor.
schema::MemoryLayout layout_of(const Storage& tensor, int level);

/// The memory of a dynamic level. The tensor must outlive what reads it, and keep its arrays where they are.
NodeArrays arrays_of(const Storage& tensor, int level);

/// What is taken of the memory of a dynamic level (dynamic/nodes/usage.h).
std::vector<Usage> usage_of(const Storage& tensor, int level);

/// What is wrong with a dynamic level under so many parents; nothing where its memory is as the schema says: references
/// lead to nodes that exist and were not deleted, each node is reached once, sizes are within their bounds, coordinates
/// are in range and, by the schema, in order, none is there twice, and the elements lead to the positions below, each
/// to one. Whatever the memory holds, nothing outside it is touched. Bounded by O(nodes reached).
std::optional<std::string> find_damage(const Storage& tensor, int level, std::int64_t parents);

}  // namespace lacuna::nodes
