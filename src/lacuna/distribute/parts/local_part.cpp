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
#include "lacuna/support/check.h"
#include "lacuna/tensor/build_entries.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

/// Values or coordinates of one width, one behind the other.
class Column {
 public:
  explicit Column(Type type) : type_(type) {}

  /// Room for so many.
  void reserve(std::int64_t entries) { bytes_.reserve(static_cast<std::size_t>(entries * size_of(type_))); }
  /// Those of `count` entries, which are kept.
  void append(const void* from, const std::vector<bool>& is_kept, std::size_t count) {
    const auto* all = static_cast<const std::byte*>(from);
    const std::size_t before = bytes_.size();
    bytes_.resize(before + count * static_cast<std::size_t>(size_of(type_)));
    with_width(type_, [&](auto width) {
      std::byte* to = bytes_.data() + before;
      for (std::size_t e = 0; e < is_kept.size(); ++e) {
        if (!is_kept[e]) continue;
        std::memcpy(to, all + e * width, width);
        to += width;
      }
    });
  }
  /// All of them, which it has no longer.
  Array take() {
    Array all = Array::allocate(type_, std::ssize(bytes_) / size_of(type_), false);
    std::copy(bytes_.begin(), bytes_.end(), static_cast<std::byte*>(all.mutable_data()));
    std::vector<std::byte>().swap(bytes_);
    return all;
  }

 private:
  Type type_;
  std::vector<std::byte> bytes_;
};

/// Adds the entries of parts that lie in a region, and in all of some stretches, to one list.
class Collector {
 public:
  Collector(const std::vector<IndexSet>& region, const std::vector<Stretch>& stretches, const PartShape& shape)
      : region_(region), stretches_(stretches), map_(shape.format.map()), values_(shape.type) {
    for (const IndexSet& set : region) columns_.emplace_back(coordinate_type(set.size()));
  }

  /// Room for so many entries.
  void reserve(std::int64_t entries) {
    for (Column& column : columns_) column.reserve(entries);
    values_.reserve(entries);
  }
  void add(const CoordinateList& entries, const std::vector<IndexSet>& sets) {
    std::vector<bool> is_kept(static_cast<std::size_t>(entries.size()), true);
    std::vector<Array> ranks;  // in the region, by mode
    for (std::size_t m = 0; m < sets.size(); ++m)
      ranks.push_back(narrowed(ranks_in(sets[m], region_[m], entries.coordinates[m]), m, is_kept));
    if (!stretches_.empty()) keep_stretches(entries, sets, is_kept);
    const auto count = static_cast<std::size_t>(std::count(is_kept.begin(), is_kept.end(), true));
    for (std::size_t m = 0; m < sets.size(); ++m) columns_[m].append(ranks[m].data(), is_kept, count);
    values_.append(entries.values.data(), is_kept, count);
  }

  /// All of them, once.
  CoordinateList take() {
    CoordinateList out;
    for (const IndexSet& set : region_) out.dimensions.push_back(set.size());
    for (Column& column : columns_) out.coordinates.push_back(column.take());
    out.values = values_.take();
    return out;
  }

 private:
  /// In as few bytes as the list has them; notes where there are none.
  Array narrowed(const std::vector<std::int64_t>& ranks, std::size_t mode, std::vector<bool>& is_kept) const {
    Array out = Array::allocate(coordinate_type(region_[mode].size()), std::ssize(ranks), false);
    with_mutable_coordinates(out, [&](auto to) {
      using T = typename decltype(to)::value_type;
      for (std::size_t e = 0; e < ranks.size(); ++e) {
        if (ranks[e] < 0) is_kept[e] = false;
        to[e] = static_cast<T>(ranks[e]);
      }
    });
    return out;
  }

  void keep_stretches(const CoordinateList& entries, const std::vector<IndexSet>& sets,
                      std::vector<bool>& is_kept) const {
    std::vector<Coordinates> number;
    for (const IndexSet& set : sets) number.emplace_back(set, entries.size());
    const std::vector<IntegerReader> columns(entries.coordinates.begin(), entries.coordinates.end());
    for (std::size_t e = 0; e < is_kept.size(); ++e) {
      const auto coordinate = [&](std::size_t level) {
        const auto mode = static_cast<std::size_t>(map_.mode_of(static_cast<int>(level)));
        return number[mode][columns[mode][static_cast<std::int64_t>(e)]];
      };
      if (is_kept[e])
        is_kept[e] =
            std::all_of(stretches_.begin(), stretches_.end(), [&](const Stretch& s) { return s.contains(coordinate); });
    }
  }

  const std::vector<IndexSet>& region_;
  const std::vector<Stretch>& stretches_;
  const LevelMap& map_;
  std::vector<Column> columns_;  // by mode
  Column values_;
};

LocalPart combine_entries(const std::vector<LocalPart>& parts, const std::vector<IndexSet>& region,
                          const PartShape& shape, const std::vector<Stretch>& stretches = {}) {
  Collector collector(region, stretches, shape);
  std::int64_t entries = 0;
  for (const LocalPart& part : parts) entries += part.storage.places();
  collector.reserve(std::min(entries, volume_of(region)));
  for (const LocalPart& part : parts) collector.add(coordinates_of(part.storage), part.sets);
  const Format arrays = array_format_of(shape.format);
  return {region, build_with_fill(collector.take(), arrays, {}, shape.fill)};
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

LocalPart join(const std::vector<LocalPart>& parts, const Restriction& what, const PartShape& shape) {
  return what.stretches.empty() ? join(parts, what.coordinates, shape)
                                : combine_entries(parts, what.coordinates, shape, what.stretches);
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
