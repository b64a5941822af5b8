#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/support/interval.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// Where the positions of a piece come from: stretches of positions of the whole, in the piece's order. Places for
/// nothing (empty slots of new hash tables, and what lies below them) come from `nowhere`.
class Runs {
 public:
  static constexpr std::int64_t nowhere = -1;
  struct Run {
    std::int64_t from;
    std::int64_t count;
  };

  void add(std::int64_t from, std::int64_t count);
  void add(const Interval& positions) { add(positions.begin, positions.size()); }
  const std::vector<Run>& all() const { return runs_; }
  std::int64_t size() const { return size_; }
  /// One stretch of what is there, or nothing at all: an array of the piece can be a view of that of the whole.
  bool is_stretch() const { return runs_.empty() || (runs_.size() == 1 && runs_[0].from != nowhere); }
  /// Where it begins; 0 where there is nothing.
  std::int64_t begin() const { return runs_.empty() ? 0 : runs_[0].from; }

 private:
  std::vector<Run> runs_;
  std::int64_t size_ = 0;
};

/// The elements of an array that runs lead to, numbered from `base` on; every byte of an element from nowhere is
/// `fill`.
Array gather(const Array& array, const Runs& runs, std::int64_t base, std::uint8_t fill);

/// The elements [begin, begin + count) of an array, in place, numbered from `base` on.
Array window(const Array& array, std::int64_t begin, std::int64_t count, std::int64_t base);

/// The same memory, numbered from `base` on.
Array numbered_from(const Array& array, std::int64_t base);

}  // namespace lacuna
