#pragma once

#include <span>

#include "lacuna/format/format.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// The numbers of sorted updates (columns by level) in the order in which they are put in. Under each entry of the
/// levels above, the middle one of a dynamic level's coordinates comes first, then those before it and those behind it
/// in the same way: a tree that nothing balances but the order of its insertions gets as high as their number's
/// logarithm, not as that number. All of one entry stay together, and updates of one coordinate in their order.
Array middle_first(std::span<const Array> columns, const Format& format);

}  // namespace lacuna
