#pragma once

#include <array>

#include "lacuna/distribute/part/local_part.h"

namespace lacuna {

/// A part of a result that is made again and again: in memory of the one before the last, where somebody still holds
/// that.
class ResultMemory {
 public:
  LocalPart& last() { return parts_[last_]; }
  /// To be written over. Its values may still be held by somebody who keeps them for longer.
  LocalPart& next() {
    if (!last().storage.values.is_held_once()) last_ = 1 - last_;
    return last();
  }

 private:
  std::array<LocalPart, 2> parts_;
  std::size_t last_ = 0;
};

}  // namespace lacuna
