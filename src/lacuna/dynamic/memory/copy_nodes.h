#pragma once

#include "lacuna/tensor/storage.h"

namespace lacuna::nodes {

/// The nodes of a tensor's level with values that are yet to be stored, for the last level of a tensor whose values
/// have type `value`: the same elements at the same places. References are indices, so they hold in the copy. Where the
/// type is another one, nodes and segments that were given back are not used again there.
LevelStorage with_other_values(const Storage& tensor, int level, Type value, int threads);

}  // namespace lacuna::nodes
