#pragma once

#include <cstdint>

#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// What the entries of a FROSTT file are, and where they begin.
struct FrosttLayout {
  CoordinateLayout entries;
  std::size_t body = 0;
};

/// By the header and the first entry; fails, with the place, where it cannot be.
FrosttLayout frostt_layout(const Text& text, const ReadOptions& options);

/// Reads a FROSTT file (.tns): one line an entry, its coordinates from 1 and its value; comments start with #. The
/// order is that of the first entry. Dimensions are the largest coordinates unless given, or said by the file.
FileContents read_frostt(const Text& text, const ReadOptions& options, const ReadContext& context);

}  // namespace lacuna
