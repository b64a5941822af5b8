#include "lacuna/distribute/tensors/owner_table.h"

#include <algorithm>

namespace lacuna {

OwnerTable::OwnerTable(const TensorPlacement& placement, const LevelMap& map) {
  for (std::size_t p = 0; p < placement.parts.size(); ++p)
    for (const Stretch& stretch : placement.parts[p].what.stretches) stretches_.emplace_back(stretch, p);
  if (!stretches_.empty()) {
    for (int k = 0; k < map.size(); ++k) mode_of_level_.push_back(static_cast<std::size_t>(map.mode_of(k)));
    return;
  }
  const std::size_t order = placement.parts.front().what.coordinates.size();
  std::vector<std::vector<std::size_t>> set_of_part(order);  // by mode and part
  std::size_t boxes = 1;
  for (std::size_t m = 0; m < order; ++m) {
    std::vector<const IndexSet*> distinct;
    for (const TensorPlacement::Part& part : placement.parts) {
      const IndexSet& set = part.what.coordinates[m];
      const auto same = [&](const IndexSet* other) { return *other == set; };
      const auto found = std::find_if(distinct.begin(), distinct.end(), same);
      set_of_part[m].push_back(static_cast<std::size_t>(found - distinct.begin()));
      if (found == distinct.end()) distinct.push_back(&set);
    }
    boxes *= modes_.emplace_back(distinct).sets;
  }
  part_of_box_.assign(boxes, placement.parts.size());
  for (std::size_t p = 0; p < placement.parts.size(); ++p) {
    std::size_t box = 0;
    for (std::size_t m = 0; m < order; ++m) box = box * modes_[m].sets + set_of_part[m][p];
    part_of_box_[box] = p;
  }
}

OwnerTable::Mode::Mode(const std::vector<const IndexSet*>& distinct) : sets(distinct.size()) {
  std::int64_t count = 0, past = 0;
  for (const IndexSet* each : distinct) {
    count += each->stretches();
    past = std::max(past, each->bounds().end);
  }
  constexpr std::int64_t coordinates_for_interval = 3;  // that take as much memory
  constexpr std::int64_t many = 1 << 24;
  const bool is_large = std::min(past, count * coordinates_for_interval) > many;
  if (is_large && std::all_of(distinct.begin(), distinct.end(), [](const auto* s) { return s->keeps_blocks(); })) {
    for (const IndexSet* each : distinct) dealt.push_back(*each);
    return;
  }
  if (past < count * coordinates_for_interval) {
    set.resize(static_cast<std::size_t>(past));
    for (std::size_t s = 0; s < sets; ++s)
      distinct[s]->for_each_interval([&](const Interval& run) {
        std::fill(set.begin() + run.begin, set.begin() + run.end, static_cast<std::uint32_t>(s));
      });
    return;
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> intervals;
  intervals.reserve(static_cast<std::size_t>(count));
  for (std::size_t s = 0; s < sets; ++s)
    distinct[s]->for_each_interval(
        [&](const Interval& run) { intervals.emplace_back(run.begin, static_cast<std::uint32_t>(s)); });
  std::sort(intervals.begin(), intervals.end());
  for (const auto& [begin, s] : intervals) {
    begins.push_back(begin);
    set.push_back(s);
  }
}

std::size_t OwnerTable::Mode::set_of(std::int64_t coordinate) const {
  if (!dealt.empty()) {
    const auto has_it = [&](const IndexSet& s) { return s.contains(coordinate); };
    return static_cast<std::size_t>(std::find_if(dealt.begin(), dealt.end(), has_it) - dealt.begin());
  }
  if (begins.empty()) return set[static_cast<std::size_t>(coordinate)];
  const auto after = std::upper_bound(begins.begin(), begins.end(), coordinate);
  return set[static_cast<std::size_t>(after - begins.begin()) - 1];
}

}  // namespace lacuna
