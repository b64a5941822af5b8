#include "lacuna/distribute/partition/index_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "lacuna/support/error.h"

namespace lacuna {

void IndexSetBuilder::add(const Interval& interval) {
  if (interval.empty()) return;
  if (!intervals_.empty()) {
    internal_check(interval.begin >= intervals_.back().begin, "an interval from {} after one from {}", interval.begin,
                   intervals_.back().begin);
    if (interval.begin <= intervals_.back().end) {
      intervals_.back().end = std::max(intervals_.back().end, interval.end);
      return;
    }
  }
  intervals_.push_back(interval);
}

IndexSet IndexSetBuilder::finish() {
  IndexSet set;
  for (const Interval& interval : intervals_) set.size_ += interval.size();
  // An interval takes three numbers.
  if (intervals_.size() > 1 && set.size_ < 3 * std::ssize(intervals_)) {
    set.coordinates_.reserve(static_cast<std::size_t>(set.size_));
    for (const Interval& interval : intervals_) {
      for (std::int64_t i = interval.begin; i < interval.end; ++i) set.coordinates_.push_back(i);
    }
    intervals_.clear();
    return set;
  }
  set.intervals_ = std::move(intervals_);
  intervals_.clear();
  std::int64_t before = 0;
  for (const Interval& interval : set.intervals_) {
    set.before_.push_back(before);
    before += interval.size();
  }
  return set;
}

IndexSet IndexSet::range(std::int64_t begin, std::int64_t end) {
  IndexSetBuilder builder;
  builder.add({begin, end});
  return builder.finish();
}

IndexSet IndexSet::of_intervals(std::vector<Interval> intervals) {
  const auto earlier = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::is_sorted(intervals.begin(), intervals.end(), earlier))
    std::sort(intervals.begin(), intervals.end(), earlier);
  IndexSetBuilder builder;
  for (const Interval& interval : intervals) builder.add(interval);
  return builder.finish();
}

IndexSet IndexSet::of_coordinates(std::vector<std::int64_t> coordinates) {
  std::sort(coordinates.begin(), coordinates.end());
  IndexSetBuilder builder;
  for (const std::int64_t c : coordinates) builder.add(c);
  return builder.finish();
}

std::size_t IndexSet::first_from(std::int64_t i) const {
  if (!coordinates_.empty()) {
    return static_cast<std::size_t>(std::lower_bound(coordinates_.begin(), coordinates_.end(), i) -
                                    coordinates_.begin());
  }
  const auto ends_before = [](const Interval& interval, std::int64_t at) { return interval.end <= at; };
  return static_cast<std::size_t>(std::lower_bound(intervals_.begin(), intervals_.end(), i, ends_before) -
                                  intervals_.begin());
}

bool IndexSet::contains(std::int64_t i) const {
  const std::size_t k = first_from(i);
  return k < kept() && at(k).contains(i);
}

Interval IndexSet::bounds() const { return empty() ? Interval{} : Interval{at(0).begin, at(kept() - 1).end}; }

std::int64_t IndexSet::rank(std::int64_t i) const {
  const std::size_t k = first_from(i);
  if (k == kept()) return size_;
  if (!coordinates_.empty()) return static_cast<std::int64_t>(k);
  return before_[k] + std::max<std::int64_t>(0, i - intervals_[k].begin);
}

IndexSet IndexSet::slice(const Interval& ranks) const {
  const Interval wanted = common(ranks, {0, size_});
  IndexSetBuilder builder;
  if (wanted.empty()) return builder.finish();
  if (!coordinates_.empty()) {
    for (std::int64_t k = wanted.begin; k < wanted.end; ++k) builder.add(coordinates_[static_cast<std::size_t>(k)]);
    return builder.finish();
  }
  const auto past = std::upper_bound(before_.begin(), before_.end(), wanted.begin);
  for (auto k = static_cast<std::size_t>(past - before_.begin()) - 1; k < intervals_.size(); ++k) {
    const std::int64_t shift = intervals_[k].begin - before_[k];
    if (before_[k] >= wanted.end) break;
    builder.add(common(intervals_[k], {wanted.begin + shift, wanted.end + shift}));
  }
  return builder.finish();
}

IndexSet IndexSet::within(const Interval& interval) const {
  const Interval all = bounds();
  if (interval.begin <= all.begin && all.end <= interval.end) return *this;
  IndexSetBuilder builder;
  for_each_interval_within(interval, [&](const Interval& run) { builder.add(run); });
  return builder.finish();
}

std::vector<Interval> IndexSet::intervals() const {
  std::vector<Interval> all;
  for_each_interval([&](const Interval& run) { all.push_back(run); });
  return all;
}

std::string IndexSet::to_string() const {
  std::vector<std::string> texts;
  for_each_interval([&](const Interval& run) {
    texts.push_back(run.size() == 1 ? fmt::format("{}", run.begin) : fmt::format("{}-{}", run.begin, run.end - 1));
  });
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

IndexSet operator|(const IndexSet& a, const IndexSet& b) {
  if (a.empty() || a == b) return b;
  if (b.empty()) return a;
  const std::vector<Interval> left = a.intervals(), right = b.intervals();
  std::vector<Interval> both(left.size() + right.size());
  const auto earlier = [](const Interval& x, const Interval& y) { return x.begin < y.begin; };
  std::merge(left.begin(), left.end(), right.begin(), right.end(), both.begin(), earlier);
  IndexSetBuilder builder;
  for (const Interval& interval : both) builder.add(interval);
  return builder.finish();
}

IndexSet operator&(const IndexSet& a, const IndexSet& b) {
  if (a.is_interval()) return b.within(a.bounds());
  if (b.is_interval()) return a.within(b.bounds());
  if (a == b) return a;
  const std::vector<Interval> left = a.intervals(), right = b.intervals();
  IndexSetBuilder builder;
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    builder.add(common(left[i], right[j]));
    if (left[i].end < right[j].end) ++i;
    else ++j;
  }
  return builder.finish();
}

IndexSet operator-(const IndexSet& a, const IndexSet& b) {
  IndexSetBuilder builder;
  a.for_each_interval([&](Interval rest) {
    b.for_each_interval_within(rest, [&](const Interval& gone) {
      builder.add({rest.begin, gone.begin});
      rest.begin = gone.end;
    });
    builder.add(rest);
  });
  return builder.finish();
}

}  // namespace lacuna
