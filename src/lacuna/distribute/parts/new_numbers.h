#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/distribute/sets/index_set.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// Whether coordinates or positions are stored as those that are made here: in one of two widths, numbered from 0.
inline bool has_plain_integers(const Array& array) {
  return array.base() == 0 && (array.type() == Type::Int32 || array.type() == Type::Int64);
}

/// The numbers that coordinates of a part have in a smaller one.
class NewNumbers {
 public:
  NewNumbers(const IndexSet& part, const IndexSet& region)
      : old_size_(part.size()), size_(region.size()), is_all_(region.size() == part.size()) {
    kept_ = ranks_of(region, part);
    bounds_ = kept_.bounds();
    if (kept_.is_interval()) return;
    kept_ranks_.resize(static_cast<std::size_t>(old_size_));
    before_.reserve(static_cast<std::size_t>(old_size_ / block + 1));
    AscendingRanks new_number(kept_);
    for (std::int64_t begin = 0; begin < old_size_; begin += block)
      before_.push_back(static_cast<std::int32_t>(new_number(begin)));
    std::int32_t next = 0;
    kept_.for_each_interval([&](const Interval& run) {
      for (std::int64_t c = run.begin; c < run.end; ++c)
        kept_ranks_[static_cast<std::size_t>(c)] =
            static_cast<std::uint8_t>(is_kept + (next++ - before_[static_cast<std::size_t>(c / block)]));
    });
  }

  /// Whether a part's coordinates can be numbered so, in at most so many bytes, or about none.
  static bool has_room_for(const IndexSet& part, const IndexSet& region, std::int64_t bytes) {
    const bool is_interval = region.size() == part.size() || (part.is_interval() && region.is_interval());
    return coordinate_type(part.size()) == Type::Int32 && (is_interval || part.size() <= bytes);
  }

  bool is_all() const { return is_all_; }
  bool is_interval() const { return before_.empty(); }
  const Interval& bounds() const { return bounds_; }
  const IndexSet& kept() const { return kept_; }
  std::int64_t old_size() const { return old_size_; }
  std::int64_t size() const { return size_; }
  bool has(std::int64_t old) const { return is_interval() ? bounds_.contains(old) : has_marked(old); }
  /// Of one that it has.
  std::int64_t operator[](std::int64_t old) const { return is_interval() ? old - bounds_.begin : looked_up(old); }
  /// Both where they are no interval; the number of one that it does not have is any.
  bool has_marked(std::int64_t old) const { return (kept_ranks_[static_cast<std::size_t>(old)] & is_kept) != 0; }
  std::int64_t looked_up(std::int64_t old) const {
    const auto at = static_cast<std::size_t>(old);
    return before_[at / block] + (kept_ranks_[at] & ~is_kept);
  }

 private:
  static constexpr std::int64_t block = 128;
  static constexpr int is_kept = 128;

  std::int64_t old_size_, size_;
  bool is_all_;
  IndexSet kept_;    // old numbers
  Interval bounds_;  // of these
  // Where these are no interval: a byte a number, so that they stay in the cache. By block, how many are kept in those
  // before; and by old number, whether it is kept, and how many are in its block before it.
  std::vector<std::int32_t> before_;
  std::vector<std::uint8_t> kept_ranks_;
};

}  // namespace lacuna
