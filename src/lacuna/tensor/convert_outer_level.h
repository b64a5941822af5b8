#pragma once

#include <optional>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Conversions that only say differently which outermost coordinates have children: CSR to DCSR and back, and the same
/// above any compressed level. In the time of that level's pos; everything below is shared, and pos, too, where every
/// outermost coordinate has children. None where another way is needed.
std::optional<Storage> convert_outer_level(const Storage& tensor, const Format& format, int threads);

}  // namespace lacuna
