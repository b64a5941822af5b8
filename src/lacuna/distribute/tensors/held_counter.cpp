#include "lacuna/distribute/tensors/held_counter.h"

#include <algorithm>

#include "lacuna/distribute/comm/numbers.h"

namespace lacuna {
namespace {

std::size_t hash_of(const std::int64_t* tuple, std::size_t length) {
  std::size_t hash = 0;
  for (std::size_t k = 0; k < length; ++k) {
    hash = (hash ^ static_cast<std::size_t>(tuple[k])) * 0x9E3779B97F4A7C15U;
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
  mine_ = TupleSet(static_cast<std::size_t>(last) + 1);
  collect(part);
  if (may_share()) share_out();
  return sums_over(ranks_, {mine_.size()})[0];
}

void HeldCounter::collect(const Restriction& part) {
  std::vector<std::size_t> modes;
  for (std::size_t k = 0; k < length(); ++k) modes.push_back(mode_of(k));
  for (const std::int64_t p : tensor_.parts_counted_here()) add_coordinates(cut(tensor_.part(p), part), modes, mine_);
  mine_.sort();
}

/// Whether two parts may hold entries that agree in all coordinates that count.
bool HeldCounter::may_share() const {
  if (length() == tensor_.dimensions().size()) return false;
  const std::vector<TensorPlacement::Part>& parts = tensor_.placement().parts;
  const auto meet = [&](const Restriction& a, const Restriction& b) {
    for (std::size_t k = 0; k < length(); ++k)
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
  for (std::int64_t n = 0; n < mine_.size(); ++n) {
    std::vector<std::int64_t>& to = to_each[hash_of(mine_[n], length()) % to_each.size()];
    to.insert(to.end(), mine_[n], mine_[n] + length());
  }
  mine_ = TupleSet(length());
  for (const std::vector<std::int64_t>& from : all_to_all(ranks_, to_each))
    for (std::size_t at = 0; at < from.size(); at += length()) mine_.add(from.data() + at);
  mine_.sort();
}

std::vector<std::int64_t> HeldCounter::count_before(const std::vector<Tuple>& bounds) const {
  std::vector<std::int64_t> counts;
  for (const Tuple& bound : bounds) counts.push_back(mine_.count_before(bound));
  return sums_over(ranks_, counts);
}

/// Coordinate by coordinate: the largest before which there are not more than the number asked for.
std::vector<std::vector<std::int64_t>> HeldCounter::at(const std::vector<std::int64_t>& numbers) const {
  std::vector<Tuple> found(numbers.size());
  for (std::size_t k = 0; k < length(); ++k) {
    std::vector<Interval> within(numbers.size(), {0, tensor_.dimensions()[mode_of(k)]});
    const auto is_open = [](const Interval& i) { return i.size() > 1; };
    while (std::any_of(within.begin(), within.end(), is_open)) {
      std::vector<Tuple> bounds = found;
      for (std::size_t n = 0; n < bounds.size(); ++n) bounds[n].push_back(within[n].end - within[n].size() / 2);
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
