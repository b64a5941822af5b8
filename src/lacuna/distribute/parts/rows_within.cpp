#include "lacuna/distribute/parts/rows_within.h"

#include <algorithm>
#include <span>
#include <utility>

#include "lacuna/distribute/parts/new_numbers.h"
#include "lacuna/distribute/sets/runs.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

const LevelStorage& level_at(const Storage& s, int k) { return s.levels[static_cast<std::size_t>(k)]; }

/// Whether a level is stored so that some of its positions can be looked at by themselves.
bool is_plain(const Storage& s, int k) {
  const LevelStorage& level = level_at(s, k);
  if (level.origin != 0) return false;
  const LevelFormat& form = s.format.level(k);
  if (form.packed()) return has_plain_integers(level.pos) && has_plain_integers(level.crd);
  if (form.branchless()) return k > 1 && has_plain_integers(level.crd);
  return form.full();
}

bool can_look_at_rows(const Storage& s, int cut_level) {
  if (cut_level < 1 || s.values.base() != 0) return false;
  for (int k = 0; k < s.order(); ++k)
    if (!is_plain(s, k)) return false;
  const LevelFormat &outermost = s.format.level(0), &cut = s.format.level(cut_level);
  const bool has_rows = outermost.full() || (outermost.ordered && outermost.unique);
  return has_rows && s.format.level(1).packed() && cut.packed() && cut.ordered;
}

/// The positions of a level under some of the level above.
Interval below(const Storage& s, int k, const Interval& parents) {
  const LevelStorage& level = level_at(s, k);
  if (s.format.level(k).full()) return {parents.begin * level.extent, parents.end * level.extent};
  if (s.format.level(k).packed()) return {level.pos.integer(parents.begin), level.pos.integer(parents.end)};
  return parents;
}

/// The coordinates of rows that follow each other.
Interval coordinates_of_rows(const Storage& s, const Interval& rows) {
  if (rows.empty() || s.format.level(0).full()) return rows;
  const Array& crd = level_at(s, 0).crd;
  return {crd.integer(rows.begin), crd.integer(rows.end - 1) + 1};
}

/// Looks for rows that store nothing out of bounds at one of their levels.
class RowSearch {
 public:
  RowSearch(const Storage& s, int level, const Interval& bounds) : s_(s), level_(level), bounds_(bounds) {}

  /// Those that follow each other and have most entries of the level; none where others have a sixteenth of all.
  std::optional<Interval> longest() const {
    return with_coordinates(level_at(s_, level_).pos, [&](auto pos) {
      return with_coordinates(level_at(s_, level_).crd, [&](auto crd) { return longest(pos.data(), crd.data()); });
    });
  }

 private:
  /// Neighbours, and how many entries they have.
  struct Run {
    Interval rows;
    std::int64_t entries = 0;
  };

  template <typename Position, typename Coordinate>
  std::optional<Interval> longest(const Position* pos, const Coordinate* crd) const {
    const std::int64_t rows = level_at(s_, 0).positions, parents = level_at(s_, level_ - 1).positions;
    const std::int64_t spared = (pos[parents] - pos[0]) / 16;
    Run longest, run;
    std::int64_t left_out = 0, parent = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t past = end_of_parents(row), entries = pos[past] - pos[parent];
      if (are_within(pos, crd, parent, past)) {
        run.rows.end = row + 1;
        run.entries += entries;
      } else {
        left_out += entries;
        if (left_out > spared) return std::nullopt;
        if (run.entries > longest.entries) longest = run;
        run = {{row + 1, row + 1}};
      }
      parent = past;
    }
    if (run.entries > longest.entries) longest = run;
    return longest.entries >= pos[parents] - pos[0] - spared ? std::optional(longest.rows) : std::nullopt;
  }

  /// Where those under a row end, in the level above.
  std::int64_t end_of_parents(std::int64_t row) const {
    std::int64_t end = row + 1;
    for (int k = 1; k < level_; ++k) end = below(s_, k, {end, end}).end;
    return end;
  }

  template <typename Position, typename Coordinate>
  bool are_within(const Position* pos, const Coordinate* crd, std::int64_t parent, std::int64_t past) const {
    for (; parent < past; ++parent) {
      const Position begin = pos[parent], end = pos[parent + 1];
      if (begin != end && (crd[begin] < bounds_.begin || crd[end - 1] >= bounds_.end)) return false;
    }
    return true;
  }

  const Storage& s_;
  int level_;
  Interval bounds_;
};

/// Where the children of neighbouring parents begin, of which only some are kept: these are numbered from 0 on.
Array clamped(const Array& pos, const Interval& parents, const Interval& kept, Type type) {
  Array to = Array::allocate(type, parents.size() + 1, false);
  with_mutable_coordinates(to, [&](auto out) {
    with_coordinates(pos, [&](auto all) {
      const auto from = all.subspan(static_cast<std::size_t>(parents.begin), out.size());
      std::transform(from.begin(), from.end(), out.begin(), [&](std::int64_t p) {
        return static_cast<typename decltype(out)::value_type>(std::clamp(p, kept.begin, kept.end) - kept.begin);
      });
    });
  });
  return to;
}

/// Coordinates at some positions, counted from `first` on.
Array counted_from(const Array& crd, const Interval& positions, std::int64_t first) {
  Array to = Array::allocate(crd.type(), positions.size(), false);
  with_mutable_coordinates(to, [&](auto out) {
    using Coordinate = typename decltype(out)::value_type;
    const auto from = crd.view<Coordinate>().subspan(static_cast<std::size_t>(positions.begin), out.size());
    std::transform(from.begin(), from.end(), out.begin(),
                   [by = static_cast<Coordinate>(first)](Coordinate c) { return static_cast<Coordinate>(c - by); });
  });
  return to;
}

}  // namespace

std::optional<RowsWithin> RowsWithin::of(const LocalPart& part, int mode, const IndexSet& within) {
  const Storage& s = part.storage;
  const int cut_level = s.format.map().level_of(mode);
  const IndexSet kept = ranks_of(within, part.sets[static_cast<std::size_t>(mode)]);
  if (!can_look_at_rows(s, cut_level) || kept.empty() || !kept.is_interval() || s.values.empty()) return std::nullopt;
  const Interval all_rows{0, level_at(s, 0).positions};
  const std::optional<Interval> rows = RowSearch(s, cut_level, kept.bounds()).longest();
  if (!rows) return std::nullopt;

  RowsWithin out;
  out.storage_ = s;
  out.storage_.dimensions[static_cast<std::size_t>(mode)] = kept.size();
  out.positions_ = {all_rows};
  Interval parents = all_rows, above = *rows;
  for (int k = 1; k < s.order(); ++k) {
    LevelStorage& level = out.storage_.levels[static_cast<std::size_t>(k)];
    const Interval positions = below(s, k, above);
    level.positions = positions.size();
    // Positions of what is made here are as wide as all entries need, whatever width they were given in.
    if (s.format.level(k).packed()) level.pos = clamped(level.pos, parents, positions, position_type(level.crd.size()));
    if (k == cut_level) {
      level.extent = kept.size();
      if (kept.bounds().begin != 0) {
        level.crd = counted_from(level.crd, positions, kept.bounds().begin);
        out.renumbered_ = k;
      }
    }
    out.positions_.push_back(positions);
    parents = above = positions;
  }
  LevelStorage& first = out.storage_.levels[1];
  first.nonempty = first.nonempty && *rows == all_rows;
  const IndexSet& all = part.sets[static_cast<std::size_t>(s.format.map().mode_of(0))];
  out.others_ = all - all.slice(coordinates_of_rows(s, *rows));
  return out;
}

const Storage& RowsWithin::in(const Storage& part) {
  storage_.levels[0].pos = part.levels[0].pos;
  storage_.levels[0].crd = part.levels[0].crd;
  for (int k = 1; k < part.order(); ++k) {
    const Interval& positions = positions_[static_cast<std::size_t>(k)];
    if (k != renumbered_ && part.format.level(k).has_crd())
      storage_.levels[static_cast<std::size_t>(k)].crd =
          window(level_at(part, k).crd, positions.begin, positions.size(), 0);
  }
  const Interval& last = positions_.back();
  storage_.values = window(part.values, part.values.base() + last.begin, last.size(), 0);
  return storage_;
}

}  // namespace lacuna
