#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/support/interval.h"

namespace lacuna {

/// A set of whole numbers: coordinates of a mode, or positions of a level. Kept as disjoint intervals or, where these
/// are mostly of one or two numbers, as a list of the numbers, both ascending; equal sets are kept alike. A value.
/// Operations on sets take time in proportion to what is kept of them.
class IndexSet {
 public:
  IndexSet() = default;
  /// [begin, end).
  static IndexSet range(std::int64_t begin, std::int64_t end);
  static IndexSet range(const Interval& interval) { return range(interval.begin, interval.end); }
  /// In any order; they may overlap.
  static IndexSet of_intervals(std::vector<Interval> intervals);
  /// In any order; they may repeat.
  static IndexSet of_coordinates(std::vector<std::int64_t> coordinates);

  std::int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(std::int64_t i) const;
  /// From the least to the greatest, and one on; empty at 0 for the empty set.
  Interval bounds() const;
  /// All numbers between the least and the greatest are there.
  bool is_interval() const { return size_ == bounds().size(); }
  /// Whether single numbers are kept.
  bool keeps_coordinates() const { return !coordinates_.empty(); }

  /// How many of its numbers are less than i.
  std::int64_t rank(std::int64_t i) const;
  /// The numbers whose ranks are in the interval, which may reach past the end.
  IndexSet slice(const Interval& ranks) const;
  /// The numbers in the interval.
  IndexSet within(const Interval& interval) const;

  /// Calls f with each stretch of neighbours, ascending.
  template <typename F>
  void for_each_interval(F&& f) const;
  /// The same of the part in [begin, end), without making a set.
  template <typename F>
  void for_each_interval_within(Interval window, F&& f) const;
  std::vector<Interval> intervals() const;

  bool operator==(const IndexSet&) const = default;
  /// "{0-3, 7}"
  std::string to_string() const;

 private:
  friend class IndexSetBuilder;
  friend class AscendingRanks;
  /// The index of the first interval or coordinate that does not end before i.
  std::size_t first_from(std::int64_t i) const;
  std::size_t kept() const { return intervals_.size() + coordinates_.size(); }
  Interval at(std::size_t k) const {
    return intervals_.empty() ? Interval{coordinates_[k], coordinates_[k] + 1} : intervals_[k];
  }

  std::vector<Interval> intervals_;        // not touching each other; or else
  std::vector<std::int64_t> coordinates_;  // distinct
  std::vector<std::int64_t> before_;       // beside intervals: how many numbers are in those before
  std::int64_t size_ = 0;
};

IndexSet operator|(const IndexSet& a, const IndexSet& b);
IndexSet operator&(const IndexSet& a, const IndexSet& b);
/// What is in a and not in b.
IndexSet operator-(const IndexSet& a, const IndexSet& b);

/// Makes a set from intervals that come in order.
class IndexSetBuilder {
 public:
  /// `interval` begins no earlier than the last one did; it may overlap it, or be empty.
  void add(const Interval& interval);
  void add(std::int64_t i) { add({i, i + 1}); }
  IndexSet finish();

 private:
  std::vector<Interval> intervals_;
};

/// The ranks of numbers that are asked for in ascending order, in time that is proportional to what is kept of the set.
/// The set must outlive it.
class AscendingRanks {
 public:
  explicit AscendingRanks(const IndexSet& set) : set_(set) {}
  /// How many numbers of the set are less than i.
  std::int64_t operator()(std::int64_t i) {
    while (k_ < set_.kept() && set_.at(k_).end <= i) rank_ += set_.at(k_++).size();
    return k_ < set_.kept() && set_.at(k_).begin < i ? rank_ + (i - set_.at(k_).begin) : rank_;
  }

 private:
  const IndexSet& set_;
  std::size_t k_ = 0;      // the first interval that does not end before what was asked for
  std::int64_t rank_ = 0;  // of its first number
};

template <typename F>
void IndexSet::for_each_interval(F&& f) const {
  for_each_interval_within(bounds(), std::forward<F>(f));
}

template <typename F>
void IndexSet::for_each_interval_within(Interval window, F&& f) const {
  if (window.empty()) return;
  for (std::size_t k = first_from(window.begin); k < kept() && at(k).begin < window.end;) {
    Interval run = at(k);
    // Coordinates may touch each other.
    for (++k; k < kept() && at(k).begin == run.end; ++k) run.end = at(k).end;
    f(common(run, window));
  }
}

}  // namespace lacuna
