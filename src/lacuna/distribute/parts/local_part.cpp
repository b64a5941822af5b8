#include "lacuna/distribute/parts/local_part.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "lacuna/distribute/parts/dense_part.h"
#include "lacuna/distribute/parts/numbering.h"
#include "lacuna/distribute/parts/piece.h"
#include "lacuna/distribute/parts/restrict.h"
#include "lacuna/distribute/parts/width.h"
#include "lacuna/distribute/sets/level_sets.h"
#include "lacuna/tensor/build_entries.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// Adds the entries of parts that lie in a region, and in all of some stretches, to one list.
class Collector {
 public:
  Collector(const std::vector<IndexSet>& region, const std::vector<Stretch>& stretches, const PartShape& shape)
      : region_(region), stretches_(stretches), map_(shape.format.map()), type_(shape.type) {
    columns_.resize(region.size());
  }

  void add(const CoordinateList& entries, const std::vector<IndexSet>& sets) {
    std::vector<std::vector<std::int64_t>> ranks;  // in the region, by mode
    for (std::size_t m = 0; m < sets.size(); ++m)
      ranks.push_back(ranks_in(sets[m], region_[m], entries.coordinates[m]));
    const std::vector<std::size_t> kept = inside(entries, sets, ranks);
    for (std::size_t m = 0; m < sets.size(); ++m)
      for (const std::size_t e : kept) columns_[m].push_back(ranks[m][e]);
    add_values(entries.values, kept);
  }

  CoordinateList list() const {
    CoordinateList out;
    for (const IndexSet& set : region_) out.dimensions.push_back(set.size());
    for (std::size_t m = 0; m < region_.size(); ++m) {
      const Type type = coordinate_type(region_[m].size());
      Array column = Array::allocate(type, std::ssize(columns_[m]), false);
      with_mutable_coordinates(column, [&](auto to) {
        using T = typename decltype(to)::value_type;
        std::transform(columns_[m].begin(), columns_[m].end(), to.begin(),
                       [](std::int64_t c) { return static_cast<T>(c); });
      });
      out.coordinates.push_back(std::move(column));
    }
    out.values = Array::allocate(type_, std::ssize(values_) / size_of(type_), false);
    std::copy(values_.begin(), values_.end(), static_cast<std::byte*>(out.values.mutable_data()));
    return out;
  }

 private:
  /// The entries that lie in the region and in the stretches.
  std::vector<std::size_t> inside(const CoordinateList& entries, const std::vector<IndexSet>& sets,
                                  const std::vector<std::vector<std::int64_t>>& ranks) const {
    std::vector<std::size_t> kept;
    kept.reserve(static_cast<std::size_t>(entries.size()));
    for (std::size_t e = 0; e < static_cast<std::size_t>(entries.size()); ++e) {
      bool is_inside = true;
      for (const std::vector<std::int64_t>& of_mode : ranks) is_inside = is_inside && of_mode[e] >= 0;
      if (is_inside) kept.push_back(e);
    }
    if (stretches_.empty()) return kept;
    std::vector<Coordinates> number;
    for (const IndexSet& set : sets) number.emplace_back(set, std::ssize(kept));
    std::erase_if(kept, [&](std::size_t e) { return !in_stretches(entries, number, static_cast<std::int64_t>(e)); });
    return kept;
  }

  void add_values(const Array& values, const std::vector<std::size_t>& kept) {
    const std::size_t before = values_.size();
    values_.resize(before + kept.size() * static_cast<std::size_t>(size_of(type_)));
    const auto* from = static_cast<const std::byte*>(values.data());
    with_width(type_, [&](auto width) {
      std::byte* to = values_.data() + before;
      for (std::size_t k = 0; k < kept.size(); ++k) std::memcpy(to + k * width, from + kept[k] * width, width);
    });
  }

  bool in_stretches(const CoordinateList& entries, const std::vector<Coordinates>& number, std::int64_t e) const {
    const auto coordinate = [&](std::size_t level) {
      const auto mode = static_cast<std::size_t>(map_.mode_of(static_cast<int>(level)));
      return number[mode][entries.coordinates[mode].integer(e)];
    };
    return std::all_of(stretches_.begin(), stretches_.end(), [&](const Stretch& s) { return s.contains(coordinate); });
  }

  const std::vector<IndexSet>& region_;
  const std::vector<Stretch>& stretches_;
  const LevelMap& map_;
  Type type_;
  std::vector<std::vector<std::int64_t>> columns_;
  std::vector<std::byte> values_;
};

LocalPart combine_entries(const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region,
                          const PartShape& shape, const std::vector<Stretch>& stretches = {}) {
  Collector collector(region, stretches, shape);
  for (const LocalPart& part : parts) collector.add(coordinates_of(part.storage), part.sets);
  const Format arrays = array_format_of(shape.format);
  return {region, build_with_fill(collector.list(), arrays, {}, shape.fill)};
}

bool is_it(const LocalPart& part, const std::vector<IndexSet>& region, const PartShape& shape) {
  return part.sets == region && part.storage.format == shape.format && part.storage.type == shape.type;
}

}  // namespace

std::vector<IndexSet> common(const std::vector<IndexSet>& a, const std::vector<IndexSet>& b) {
  std::vector<IndexSet> both;
  for (std::size_t m = 0; m < a.size(); ++m) both.push_back(a[m] & b[m]);
  return both;
}

std::int64_t volume_of(const std::vector<IndexSet>& region) {
  std::int64_t volume = 1;
  for (const IndexSet& set : region) {
    if (set.empty()) return 0;
    volume = volume > largest_volume / set.size() ? largest_volume : volume * set.size();
  }
  return volume;
}

std::vector<IndexSet> all_of(const std::vector<std::int64_t>& dimensions) {
  std::vector<IndexSet> all;
  for (const std::int64_t n : dimensions) all.push_back(IndexSet::range(0, n));
  return all;
}

PartShape shape_of(const Storage& storage) { return {storage.format, storage.type, storage.fill}; }

LocalPart whole_part(const Storage& whole) { return {all_of(whole.dimensions), whole}; }

LocalPart local_part(const Storage& whole, const Restriction& restriction) {
  if (!restriction.cuts_positions()) return cut(whole_part(whole), restriction.coordinates);
  const std::vector<Restriction> boxes = boxes_of(restriction, whole.format);
  std::vector<LocalPart> pieces;
  for (const Restriction& box : boxes)
    pieces.push_back(whole_part(make_piece(whole, box, live_positions(whole, box), PieceMemory::Packed)));
  return combine_entries(pieces, restriction.coordinates, shape_of(whole));
}

LocalPart cut(const LocalPart& part, const std::vector<IndexSet>& region) {
  const std::vector<IndexSet> wanted = common(part.sets, region);
  if (wanted == part.sets) return part;
  if (std::optional<LocalPart> fewer = restricted(part, wanted)) return std::move(*fewer);
  return join({part}, wanted, shape_of(part.storage));
}

LocalPart cut(const LocalPart& part, const Restriction& what) {
  internal_check(
      std::none_of(what.positions.begin(), what.positions.end(), [](const auto& p) { return p.has_value(); }),
      "a part is cut by positions of the whole");
  if (what.stretches.empty()) return cut(part, what.coordinates);
  return combine_entries({part}, common(part.sets, what.coordinates), shape_of(part.storage), what.stretches);
}

namespace {

bool has_coordinates(const LevelFormat& level) { return level.packed() || level.branchless(); }

/// Of a level that has coordinates.
IndexSet every_position(const Storage& storage, int level) {
  const LevelStorage& data = storage.levels[static_cast<std::size_t>(level)];
  return IndexSet::range(data.crd.base(), data.crd.base() + data.crd.size());
}

}  // namespace

IndexSet stored_coordinates(const LocalPart& part, const Restriction& what, int level) {
  const LocalPart here = what.stretches.empty() ? part : cut(part, what);
  Restriction local = whole_of(here.storage);
  for (std::size_t m = 0; m < here.sets.size(); ++m)
    local.coordinates[m] = ranks_of(here.sets[m] & what.coordinates[m], here.sets[m]);
  // Of a part that is wanted in whole, nothing at the innermost level is left out.
  const bool is_all = level + 1 == here.storage.order() && has_coordinates(here.storage.format.level(level)) &&
                      common(here.sets, what.coordinates) == here.sets;
  const IndexSet positions = is_all ? every_position(here.storage, level)
                                    : live_positions(here.storage, local)[static_cast<std::size_t>(level)];
  const IndexSet ranks = coordinates_at(here.storage, level, positions);
  const IndexSet& all = here.sets[static_cast<std::size_t>(here.storage.format.map().mode_of(level))];
  if (all.is_interval()) return ranks.shifted(all.bounds().begin);
  IndexSetBuilder coordinates;
  const Coordinates number(all, ranks.size());
  ranks.for_each_interval([&](const Interval& run) {
    for (std::int64_t r = run.begin; r < run.end; ++r) coordinates.add(number[r]);
  });
  return coordinates.finish();
}

LocalPart join(const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region, const PartShape& shape) {
  if (parts.size() == 1 && is_it(parts[0], region, shape)) return parts[0];
  if (!shape.format.is_dense()) return combine_entries(parts, region, shape);
  LocalPart whole = dense_part(region, shape);
  for (const LocalPart& part : parts) copy_into(part, whole);
  return whole;
}

void join_over(LocalPart& before, const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region,
               const PartShape& shape) {
  const bool is_given = parts.size() == 1 && is_it(parts[0], region, shape);
  if (is_given || !shape.format.is_dense() || !before.storage.values.is_sole() || !is_it(before, region, shape)) {
    before = join(parts, region, shape);
    return;
  }
  for (const LocalPart& part : parts) copy_into(part, before);
}

LocalPart made_anew(const LocalPart& part) {
  const PartShape shape = shape_of(part.storage);
  return shape.format.is_dense() ? part : combine_entries({part}, part.sets, shape);
}

LocalPart add_up(const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region, const PartShape& shape) {
  if (parts.size() <= 1) return join(parts, region, shape);
  if (!shape.format.is_dense()) return combine_entries(parts, region, shape);
  LocalPart sum = dense_part(region, shape);
  for (const LocalPart& part : parts) add_into(part, sum);
  return sum;
}

std::int64_t bytes_to_send(const LocalPart& part) {
  return part.storage.format.is_dense() ? part.storage.values.bytes() : part.storage.bytes();
}

}  // namespace lacuna
