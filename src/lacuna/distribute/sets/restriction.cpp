#include "lacuna/distribute/sets/restriction.h"

#include "lacuna/distribute/sets/level_sets.h"

namespace lacuna {

Restriction whole_of(const Storage& storage) {
  Restriction whole;
  whole.coordinates.resize(static_cast<std::size_t>(storage.order()));
  whole.positions.resize(static_cast<std::size_t>(storage.order()));
  for (int k = 0; k < storage.order(); ++k) {
    const LevelStorage& level = storage.levels[static_cast<std::size_t>(k)];
    whole.coordinates[static_cast<std::size_t>(storage.format.map().mode_of(k))] =
        IndexSet::range(level.origin, level.origin + level.extent);
  }
  return whole;
}

Restriction whole_of(const std::vector<std::int64_t>& dimensions) {
  Restriction whole;
  for (const std::int64_t n : dimensions) whole.coordinates.push_back(IndexSet::range(0, n));
  whole.positions.resize(dimensions.size());
  return whole;
}

Restriction common(const Restriction& a, const Restriction& b) {
  Restriction both = a;
  for (std::size_t m = 0; m < both.coordinates.size(); ++m) both.coordinates[m] = a.coordinates[m] & b.coordinates[m];
  for (std::size_t k = 0; k < both.positions.size(); ++k) {
    if (k >= b.positions.size() || !b.positions[k]) continue;
    both.positions[k] = both.positions[k] ? *both.positions[k] & *b.positions[k] : b.positions[k];
  }
  both.stretches.insert(both.stretches.end(), b.stretches.begin(), b.stretches.end());
  return both;
}

bool is_empty(const Restriction& what) {
  if (std::any_of(what.coordinates.begin(), what.coordinates.end(), [](const IndexSet& c) { return c.empty(); }))
    return true;
  if (std::any_of(what.positions.begin(), what.positions.end(), [](const auto& p) { return p && p->empty(); }))
    return true;
  for (std::size_t k = 1; k < what.stretches.size(); ++k)
    for (std::size_t n = 0; n < k; ++n)
      if (are_apart(what.stretches[k], what.stretches[n])) return true;
  return false;
}

bool have_bounds_apart(const Restriction& a, const Restriction& b) {
  for (std::size_t m = 0; m < a.coordinates.size(); ++m)
    if (common(a.coordinates[m].bounds(), b.coordinates[m].bounds()).empty()) return true;
  return false;
}

std::vector<IndexSet> live_positions(const Storage& storage, const Restriction& part) {
  std::vector<IndexSet> live;
  IndexSet above = IndexSet::range(0, 1);
  for (int k = 0; k < storage.order(); ++k) {
    const auto mode = static_cast<std::size_t>(storage.format.map().mode_of(k));
    above = children_of(storage, k, above, part.coordinates[mode]);
    if (const auto& limit = part.positions[static_cast<std::size_t>(k)]) above = above & *limit;
    live.push_back(above);
  }
  for (std::size_t k = live.size(); k-- > 1;)
    live[k - 1] = live[k - 1] & parents_of(storage, static_cast<int>(k), live[k]);
  return live;
}

int counted_level(const Format& format, int level) {
  const auto adds_nothing = [&](int k) { return format.level(k).full() || format.level(k).branchless(); };
  while (level > 0 && adds_nothing(level)) --level;
  return level;
}

std::vector<Restriction> boxes_of(const Restriction& part, const Format& format) {
  std::vector<Restriction> boxes = {part};
  for (int k = 0; k < format.order(); ++k) {
    const LevelFormat& form = format.level(k);
    const auto mode = static_cast<std::size_t>(format.map().mode_of(k));
    const bool spans = form.spans();
    if (!spans || part.coordinates[mode].is_interval()) continue;
    std::vector<Restriction> cut;
    for (const Restriction& box : boxes) {
      part.coordinates[mode].for_each_interval([&](const Interval& run) {
        cut.push_back(box);
        cut.back().coordinates[mode] = IndexSet::range(run);
      });
    }
    boxes = std::move(cut);
  }
  return boxes;
}

}  // namespace lacuna
