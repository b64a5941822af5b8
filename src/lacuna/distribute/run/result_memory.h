#pragma once

#include <array>

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// A part of a result that is made again and again: in memory of the one before the last, where somebody still holds
/// that; where others have read it, in memory that they may read.
class ResultMemory {
 public:
  LocalPart& last() { return parts_[last_]; }
  /// To be written over. Its values may still be held by somebody who keeps them for longer.
  LocalPart& next() {
    if (!last().storage.values.is_held_once()) last_ = 1 - last_;
    if (last().storage.values.is_sole()) last().storage.values.share_as_asked();
    return last();
  }

 private:
  std::array<LocalPart, 2> parts_;
  std::size_t last_ = 0;
};

}  // namespace lacuna
