#include "lacuna/distribute/simulate/sample_copy.h"

#include <algorithm>
#include <cmath>

#include "lacuna/distribute/part/dense_copy.h"
#include "lacuna/distribute/part/dense_part.h"
#include "lacuna/distribute/part/value_map.h"

namespace lacuna {
namespace {

/// Elements that are copied from among others to among others: which numbers lie here and there, and both.
struct Scattered {
  IndexSet from, to, both;
};

/// So many, in stretches of some length, behind each of which others are skipped: on both sides, so that spreads come
/// out as asked for.
Scattered scattered(std::int64_t count, std::int64_t length, double spread_from, double spread_to) {
  std::vector<Interval> from, to, both;
  const auto skip = [&](double& all, double spread) {
    const auto before = static_cast<std::int64_t>(all);
    all += static_cast<double>(length) * (spread - 1);
    return static_cast<std::int64_t>(all) - before;
  };
  double skipped_from = 0, skipped_to = 0;  // in all
  std::int64_t at = 0;
  for (std::int64_t k = 0; k < count; k += length) {
    const std::int64_t end = at + std::min(length, count - k), end_from = end + skip(skipped_from, spread_from),
                       next = end_from + skip(skipped_to, spread_to);
    both.push_back({at, end});
    from.push_back({at, end_from});
    to.push_back({at, end});
    if (next > end_from) to.push_back({end_from, next});
    at = next;
  }
  return {IndexSet::of_intervals(std::move(from)), IndexSet::of_intervals(std::move(to)),
          IndexSet::of_intervals(std::move(both))};
}

/// Where each element comes from, as elements of sparse tensors are found.
ValueMap places_of(const Scattered& where, const LocalPart& from) {
  const Format format = from.storage.format;
  LocalPart places = dense_part({where.to}, {format, Type::Int64, Scalar::zero(Type::Int64)});
  DenseCopy({where.from}, {where.to}, {where.both}, format, Type::Int64)
      .copy(numbered(from).storage.values.data(), places.storage.values.mutable_data());
  const auto map = ValueMap::between(dense_part({where.to}, shape_of(from.storage)).storage, places.storage);
  internal_check(map.has_value(), "where values come from cannot be told");
  return *map;
}

}  // namespace

SampleCopy::SampleCopy(Rehearsal::Copied copied, double share) {
  constexpr double least = 1 << 20, most = 1 << 26;  // bytes: of what is copied, and of where it lies
  constexpr double with_gaps = 1.1;                  // so that single elements are not one stretch
  const bool is_by_places = copied.stretch == 0;
  if (is_by_places && copied.spread_to < with_gaps) copied.spread_from = std::max(copied.spread_from, with_gaps);
  const double at_once =
      std::min(std::max(copied.at_once, least), most / std::max(copied.spread_from, copied.spread_to));
  const auto all = std::max<std::int64_t>(std::llround(at_once / sizeof(double)), 1);
  bytes_ = static_cast<double>(all) * sizeof(double);
  const auto count = std::llround(share * static_cast<double>(all));
  if (count == 0) return;
  const double side_by_side = is_by_places ? copied.run : copied.stretch / sizeof(double);
  const auto length = std::clamp<std::int64_t>(std::llround(side_by_side), 1, count);
  const Scattered where = scattered(count, length, copied.spread_from, copied.spread_to);
  const PartShape shape{dense_format(1)};
  from_ = dense_part({where.from}, shape);
  room_ = static_cast<std::size_t>(where.to.size()) * sizeof(double);
  if (is_by_places) copy_ = [map = places_of(where, from_)](const void* from, void* to) { map.put(from, to); };
  else
    copy_ = [copy = DenseCopy({where.from}, {where.to}, {where.both}, shape.format, shape.type)](
                const void* from, void* to) { copy.copy(from, to); };
}

}  // namespace lacuna
