#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/tensor/array.h"

namespace lacuna {

/// How a list of coordinates stands to its order.
enum class Sortedness : std::uint8_t { Unsorted, Sorted, SortedUnique };

/// Reads the columns (Int32 or Int64, equally long) as a lexicographic key, the first column weighing most.
Sortedness sortedness(std::span<const Array> columns);

/// The stable order that sorts the columns: element e of the result (UInt32 or UInt64) is the number of the entry that
/// comes e-th. `extents[k]` bounds the non-negative coordinates of column k from above.
Array sorted_order(std::span<const Array> columns, std::span<const std::int64_t> extents, int threads);

/// result[e] = array[order[e]], for an array of any type.
Array gather(const Array& array, const Array& order, int threads);

}  // namespace lacuna
