#include "lacuna/distribute/simulate/sample_copy.h"

#include <algorithm>
#include <cmath>
#include <cstring>

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

/// Where what is copied at the same time lies, of a sample of several times: elements of one of them are apart, and
/// have those of others between them.
class Side {
 public:
  /// `all`: elements from the first to the last one of a time.
  Side(std::int64_t all, std::int64_t length, double spread)
      : all_(all), length_(length), together_(std::max<std::int64_t>(static_cast<std::int64_t>(spread), 1)) {}

  std::size_t begin(std::int64_t time) const { return bytes(time / together_ * all_ + time % together_ * length_); }
  std::size_t room(std::int64_t times) const { return begin(times - 1) + bytes(all_ + together_ * length_); }

 private:
  static std::size_t bytes(std::int64_t elements) { return static_cast<std::size_t>(elements) * sizeof(double); }

  std::int64_t all_, length_, together_;
};

/// How much a sample copies, in elements.
struct Amount {
  std::int64_t each, times, length;  // at a time, how often, and side by side
};

constexpr double most_room = 1 << 26;  // bytes of where a sample lies, about

/// As much as can be timed, and no more than finds room.
Amount amount_of(const Rehearsal::Copied& copied) {
  constexpr double least = 1 << 20;  // bytes
  constexpr double most_times = 64;
  const double at_once = std::min(std::max(copied.at_once, least / most_times),
                                  most_room / std::max(copied.spread_from, copied.spread_to));
  const auto each = std::max<std::int64_t>(std::llround(at_once / sizeof(double)), 1);
  const double length = copied.stretch == 0 ? copied.run : copied.stretch / sizeof(double);
  return {each, static_cast<std::int64_t>(std::ceil(std::clamp(least / at_once, 1.0, most_times))),
          std::clamp<std::int64_t>(std::llround(length), 1, each)};
}

using Copy = std::function<void(const void* from, void* to)>;

/// By the place of each element, as entries of sparse tensors are copied, or stretch by stretch.
std::shared_ptr<const Copy> copy_of(const Scattered& where, bool is_by_places) {
  const PartShape shape{dense_format(1)};
  if (is_by_places)
    return std::make_shared<Copy>(
        [map = places_of(where, dense_part({where.from}, shape))](const void* from, void* to) { map.put(from, to); });
  return std::make_shared<Copy>([copy = DenseCopy({where.from}, {where.to}, {where.both}, shape.format, shape.type)](
                                    const void* from, void* to) { copy.copy(from, to); });
}

}  // namespace

Array touched(std::size_t bytes) {
  Array all = Array::allocate(Type::UInt8, static_cast<std::int64_t>(bytes), false);
  if (bytes > 0) std::memset(all.mutable_data(), 0, bytes);
  return all;
}

SampleCopy::SampleCopy(Rehearsal::Copied copied, double share) : way_(copied.way) {
  constexpr double with_gaps = 1.1;  // so that single elements are not one stretch
  const bool is_by_places = copied.stretch == 0;
  if (is_by_places) {
    double& widest = copied.spread_from < copied.spread_to ? copied.spread_to : copied.spread_from;
    widest = std::max(widest, with_gaps);
  }
  for (double* spread : {&copied.spread_from, &copied.spread_to})
    *spread = std::min(*spread, most_room / sizeof(double));
  const auto [each, times, length] = amount_of(copied);
  bytes_ = static_cast<double>(times * each) * sizeof(double);
  std::int64_t left = std::llround(share * static_cast<double>(times * each));
  if (left == 0) return;
  const Scattered whole = scattered(each, length, copied.spread_from, copied.spread_to);
  const Side from(whole.from.size(), length, copied.spread_from), to(whole.to.size(), length, copied.spread_to);
  const std::shared_ptr<const Copy> copy = copy_of(whole, is_by_places);
  for (std::int64_t time = 0; left > 0; ++time, left -= each) {
    const bool is_whole = left >= each;
    times_.push_back(
        {is_whole ? copy : copy_of(scattered(left, length, copied.spread_from, copied.spread_to), is_by_places),
         from.begin(time), to.begin(time)});
  }
  room_from_ = from.room(std::ssize(times_));
  room_to_ = to.room(std::ssize(times_));
  const bool has_own = way_ == Rehearsal::Way::Pack || way_ == Rehearsal::Way::Within;
  if (has_own) from_ = touched(room_from_);
}

void SampleCopy::run(std::byte* out, const std::byte* in, std::byte* here) const {
  const std::byte* from = way_ == Rehearsal::Way::Unpack   ? in
                          : way_ == Rehearsal::Way::Result ? out
                                                           : static_cast<const std::byte*>(from_.data());
  std::byte* to = way_ == Rehearsal::Way::Pack ? out : here;
  for (const Time& time : times_) (*time.copy)(from + time.from, to + time.to);
}

}  // namespace lacuna
