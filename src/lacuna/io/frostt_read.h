#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

struct CoordinateLayout;

/// What the lines of a FROSTT file hold, by its first entry; fails, with the place, where it cannot be.
CoordinateLayout frostt_layout(const Text& text, const std::optional<std::vector<std::int64_t>>& dimensions);

/// Reads a FROSTT file (.tns): one line an entry, its coordinates from 1 and its value; comments start with #. The
/// order is that of the first entry. Dimensions are the largest coordinates unless given.
FileContents read_frostt(const Text& text, const std::optional<std::vector<std::int64_t>>& dimensions,
                         const ReadContext& context);

}  // namespace lacuna
