#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "lacuna/support/interval.h"

namespace lacuna {

/// Numbers in blocks as long as each other, at equal distances, with gaps between them: what is dealt out in turn. The
/// first block may lack its begin, and the last one its end. None where the length is 0.
struct BlockSet {
  std::int64_t length = 0, period = 0;
  std::int64_t first = 0;           // where the first block would begin
  std::int64_t begin = 0, end = 0;  // the least of the numbers, and one behind the greatest
  bool operator==(const BlockSet&) const = default;

  /// How many blocks there are.
  std::int64_t count() const { return (end - 1 - first) / period + 1; }
  std::int64_t size() const { return before(end) - before(begin); }
  bool contains(std::int64_t i) const { return begin <= i && i < end && (i - first) % period < length; }
  /// How many numbers are less than i.
  std::int64_t rank(std::int64_t i) const { return before(std::clamp(i, begin, end)) - before(begin); }
  /// The number of a rank that there is.
  std::int64_t number(std::int64_t rank) const {
    const std::int64_t n = rank + before(begin);
    return first + n / length * period + n % length;
  }
  /// The numbers in an interval.
  BlockSet within(const Interval& interval) const {
    const std::int64_t from = rank(interval.begin), past = rank(interval.end);
    if (from >= past) return {};
    BlockSet some = *this;
    some.begin = number(from);
    some.end = number(past - 1) + 1;
    some.first += (some.begin - first) / period * period;
    return some;
  }
  BlockSet shifted(std::int64_t by) const { return {length, period, first + by, begin + by, end + by}; }
  /// What is in both, if these are blocks, too: of sets that come back as often, unless the blocks of one reach from
  /// the end of a block of the other to the begin of its next one.
  static std::optional<BlockSet> common_of(const BlockSet& a, const BlockSet& b) {
    if (a.period != b.period) return std::nullopt;
    const std::int64_t behind = (b.first - a.first) % a.period, d = behind < 0 ? behind + a.period : behind;
    const Interval ahead = common({0, a.length}, {d, d + b.length}),
                   wrapped = common({0, a.length}, {d - a.period, d - a.period + b.length});
    if (!ahead.empty() && !wrapped.empty()) return std::nullopt;
    const Interval piece = ahead.empty() ? wrapped : ahead, bounds = common({a.begin, a.end}, {b.begin, b.end});
    if (piece.empty() || bounds.empty()) return BlockSet{};
    BlockSet both{piece.size(), a.period, a.first + piece.begin, 0, bounds.end};
    if (both.first > bounds.begin) both.first -= a.period;
    both.begin = both.first;
    return both.within(bounds);
  }
  /// What an interval has that is not here, where these are its gaps and what is before and behind them.
  std::optional<BlockSet> rest_of(const Interval& all) const {
    const std::int64_t gap = period - length, last = first + (count() - 1) * period;
    const bool begins_so = begin == all.begin || (begin == first && all.begin < begin && begin - all.begin <= gap);
    const bool ends_so = end == all.end || (end - last == length && end < all.end && all.end - end <= gap);
    if (!begins_so || !ends_so) return std::nullopt;
    const std::int64_t before_all = first + length - period;
    return BlockSet{gap, period, before_all, before_all, all.end}.within(all);
  }

  /// Calls f with what each block has in [begin, end), ascending.
  template <typename F>
  void for_each_within(Interval window, F&& f) const {
    const Interval inside = common(window, {begin, end});
    if (inside.empty()) return;
    for (std::int64_t k = (inside.begin - first) / period; k < count(); ++k) {
      const std::int64_t at = first + k * period;
      if (at >= inside.end) return;
      // The last one may reach past what 64 bits hold.
      const Interval run = common({at, at + std::min(length, inside.end - at)}, inside);
      if (!run.empty()) f(run);
    }
  }

 private:
  /// How many would be less than i, which is not less than `first`, if the first block lacked nothing.
  std::int64_t before(std::int64_t i) const {
    return (i - first) / period * length + std::min((i - first) % period, length);
  }
};

/// Finds out whether intervals that come one after the other are blocks.
class BlockFinder {
 public:
  static constexpr std::int64_t least = 64;  // fewer are kept as other sets are

  /// Whether they may be, so far.
  bool add(const Interval& run) {
    const std::int64_t distance = run.begin - last_.begin;
    if (count_ == 1) blocks_.length = run.size();
    if (count_ == 2) {
      blocks_.period = distance;
      blocks_.first = last_.begin - distance;
      is_so_ = first_.end == last_.end - distance && first_.size() <= blocks_.length;
    }
    if (count_ > 2) is_so_ = is_so_ && last_.size() == blocks_.length && distance == blocks_.period;
    if (count_ == 0) first_ = run;
    last_ = run;
    ++count_;
    return is_so_;
  }
  /// None where they are not.
  BlockSet blocks() const {
    if (!is_so_ || count_ < least || last_.size() > blocks_.length) return {};
    return {blocks_.length, blocks_.period, blocks_.first, first_.begin, last_.end};
  }

 private:
  Interval first_, last_;
  std::int64_t count_ = 0;
  BlockSet blocks_;
  bool is_so_ = true;
};

}  // namespace lacuna
