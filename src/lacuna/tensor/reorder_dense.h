#pragma once

#include <optional>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A tensor all of whose levels are dense, in a format of dense levels in another order: the values are moved tile by
/// tile, without a coordinate for any of them. Nothing for other tensors and formats.
std::optional<Storage> reorder_dense(const Storage& tensor, const Format& format, int threads);

}  // namespace lacuna
