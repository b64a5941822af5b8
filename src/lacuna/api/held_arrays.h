#pragma once

#include <string>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// The arrays of a tensor that is held in memory, for Tensor::values, positions and coordinates. Throw Error where
/// there is no such array, or it has elements of another type; `name` is the tensor's.
const Array& held_values(const Storage& storage, const std::string& name);
const Array& held_positions(const Storage& storage, int level, Type type, const std::string& name);
const Array& held_coordinates(const Storage& storage, int level, Type type, const std::string& name);

}  // namespace lacuna
