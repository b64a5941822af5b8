#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/tensor/storage.h"

// How much of a tensor fits into a picture.
namespace lacuna::picture {

/// The start of one level.
struct ShownLevel {
  std::int64_t parents = 0;    // the first so many positions of the level above are shown
  std::int64_t positions = 0;  // and so many of this level
  std::int64_t boxes = 0;      // of a dynamic level: nodes and elements, at most
};

/// The start of a tensor: the first positions of the first level that has too many of them, and all that is stored
/// below them.
struct Shown {
  std::vector<ShownLevel> levels;
  std::int64_t values = 0;     // of the array of values
  std::int64_t all_boxes = 0;  // nodes, elements and array entries of the whole tensor
  bool is_all = false;
};

/// The largest start with at most `most_boxes` nodes, elements and array entries (at least one position a level).
Shown shown_of(const Storage& tensor, std::int64_t most_boxes);

}  // namespace lacuna::picture
