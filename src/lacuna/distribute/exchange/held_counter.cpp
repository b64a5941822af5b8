#include "lacuna/distribute/exchange/held_counter.h"

#include <algorithm>

#include "lacuna/distribute/exchange/numbers.h"
#include "lacuna/distribute/part/numbering.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

void sort_out(std::vector<std::vector<std::int64_t>>& tuples) {
  std::sort(tuples.begin(), tuples.end());
  tuples.erase(std::unique(tuples.begin(), tuples.end()), tuples.end());
}

std::size_t hash_of(const std::vector<std::int64_t>& tuple) {
  std::size_t hash = 0;
  for (const std::int64_t c : tuple) {
    hash = (hash ^ static_cast<std::size_t>(c)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  }
  return hash;
}

}  // namespace

std::size_t HeldCounter::mode_of(std::size_t level) const {
  return static_cast<std::size_t>(tensor_.shape().format.map().mode_of(static_cast<int>(level)));
}

std::int64_t HeldCounter::count(const Restriction& part, int level) {
  const Format& format = tensor_.shape().format;
  // A level that repeats a coordinate tells its positions apart by those below.
  int last = level;
  while (!format.level(last).unique && last + 1 < format.order()) ++last;
  length_ = static_cast<std::size_t>(last) + 1;
  collect(part);
  if (may_share()) share_out();
  return sums_over(ranks_, {std::ssize(mine_)})[0];
}

void HeldCounter::collect(const Restriction& part) {
  mine_.clear();
  for (const std::int64_t p : tensor_.parts_counted_here()) {
    const LocalPart here = cut(tensor_.part(p), part);
    const CoordinateList entries = coordinates_of(here.storage);
    std::vector<Coordinates> number;
    for (const IndexSet& set : here.sets) number.emplace_back(set);
    for (std::int64_t e = 0; e < entries.size(); ++e) {
      Tuple tuple(length_);
      for (std::size_t k = 0; k < length_; ++k)
        tuple[k] = number[mode_of(k)][entries.coordinates[mode_of(k)].integer(e)];
      if (mine_.empty() || mine_.back() != tuple) mine_.push_back(std::move(tuple));
    }
  }
  sort_out(mine_);
}

/// Whether two parts may hold entries that agree in all coordinates that count.
bool HeldCounter::may_share() const {
  if (length_ == tensor_.dimensions().size()) return false;
  const std::vector<TensorPlacement::Part>& parts = tensor_.placement().parts;
  const auto meet = [&](const Restriction& a, const Restriction& b) {
    for (std::size_t k = 0; k < length_; ++k)
      if ((a.coordinates[mode_of(k)] & b.coordinates[mode_of(k)]).empty()) return false;
    return true;
  };
  for (std::size_t p = 1; p < parts.size(); ++p)
    for (std::size_t q = 0; q < p; ++q)
      if (meet(parts[p].what, parts[q].what)) return true;
  return false;
}

/// Each to one rank, whoever has it.
void HeldCounter::share_out() {
  std::vector<std::vector<std::int64_t>> to_each(static_cast<std::size_t>(ranks_.ranks()));
  for (const Tuple& tuple : mine_) {
    std::vector<std::int64_t>& to = to_each[hash_of(tuple) % to_each.size()];
    to.insert(to.end(), tuple.begin(), tuple.end());
  }
  mine_.clear();
  for (const std::vector<std::int64_t>& from : all_to_all(ranks_, to_each))
    for (auto at = from.begin(); at != from.end(); at += static_cast<std::ptrdiff_t>(length_))
      mine_.emplace_back(at, at + static_cast<std::ptrdiff_t>(length_));
  sort_out(mine_);
}

std::vector<std::int64_t> HeldCounter::count_before(const std::vector<Tuple>& bounds) const {
  std::vector<std::int64_t> counts;
  for (const Tuple& bound : bounds)
    counts.push_back(std::lower_bound(mine_.begin(), mine_.end(), bound) - mine_.begin());
  return sums_over(ranks_, counts);
}

/// Coordinate by coordinate: the largest before which there are not more than the number asked for.
std::vector<std::vector<std::int64_t>> HeldCounter::at(const std::vector<std::int64_t>& numbers) const {
  std::vector<Tuple> found(numbers.size());
  for (std::size_t k = 0; k < length_; ++k) {
    std::vector<Interval> within(numbers.size(), {0, tensor_.dimensions()[mode_of(k)]});
    const auto is_open = [](const Interval& i) { return i.size() > 1; };
    while (std::any_of(within.begin(), within.end(), is_open)) {
      std::vector<Tuple> bounds = found;
      for (std::size_t n = 0; n < bounds.size(); ++n) bounds[n].push_back(within[n].begin + (within[n].size() + 1) / 2);
      const std::vector<std::int64_t> before = count_before(bounds);
      for (std::size_t n = 0; n < bounds.size(); ++n) {
        if (!is_open(within[n])) continue;
        (before[n] <= numbers[n] ? within[n].begin : within[n].end) = bounds[n].back();
      }
    }
    for (std::size_t n = 0; n < found.size(); ++n) found[n].push_back(within[n].begin);
  }
  return found;
}

std::vector<CountedPiece> HeldCounter::pieces(const std::vector<Interval>& ranks) {
  std::vector<std::int64_t> ends;
  for (const Interval& each : ranks)
    if (!each.empty()) ends.insert(ends.end(), {each.begin, each.end - 1});
  const std::vector<Tuple> bounds = at(ends);
  std::vector<CountedPiece> pieces;
  auto next = bounds.begin();
  for (const Interval& each : ranks) {
    CountedPiece& piece = pieces.emplace_back();
    if (each.empty()) continue;
    piece.stretch = Stretch{next[0], next[1]};
    piece.outermost = {next[0][0], next[1][0] + 1};
    next += 2;
  }
  return pieces;
}

}  // namespace lacuna
