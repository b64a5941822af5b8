#include "lacuna/distribute/part/filter_entries.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

struct Numbered {
  std::int64_t number;
  bool is_kept;
};

struct InOrder {
  Interval bounds;
  Numbered operator()(std::int64_t old) const { return {old - bounds.begin, bounds.contains(old)}; }
};
struct LookedUp {
  const NewNumbers& numbers;
  Numbered operator()(std::int64_t old) const { return {numbers.looked_up(old), numbers.has_marked(old)}; }
};

template <typename F>
decltype(auto) with_numbering(const NewNumbers& numbers, F&& f) {
  if (numbers.is_interval()) return std::forward<F>(f)(InOrder{numbers.bounds()});
  return std::forward<F>(f)(LookedUp{numbers});
}

/// Calls f with the size of a value, as a constant.
template <typename F>
decltype(auto) with_width(Type type, F&& f) {
  switch (size_of(type)) {
    case 1: return std::forward<F>(f)(std::integral_constant<std::size_t, 1>());
    case 2: return std::forward<F>(f)(std::integral_constant<std::size_t, 2>());
    case 4: return std::forward<F>(f)(std::integral_constant<std::size_t, 4>());
    case 8: return std::forward<F>(f)(std::integral_constant<std::size_t, 8>());
    default: return std::forward<F>(f)(std::integral_constant<std::size_t, 16>());
  }
}

template <std::size_t width, typename Position, typename Coordinate, typename Number>
std::int64_t filter(const Runs& parents, const Position* pos, const Coordinate* crd, const std::byte* values,
                    const Number& number_of, Position* ends, Coordinate* to_crd, std::byte* to_values) {
  std::size_t kept = 0;
  *ends++ = 0;
  for (const Runs::Run& run : parents.all()) {
    for (std::int64_t p = run.from; p < run.from + run.count; ++p) {
      for (auto q = static_cast<std::size_t>(pos[p]); q < static_cast<std::size_t>(pos[p + 1]); ++q) {
        const Numbered found = number_of(crd[q]);
        to_crd[kept] = static_cast<Coordinate>(found.number);
        std::memcpy(to_values + kept * width, values + q * width, width);
        kept += found.is_kept ? 1 : 0;
      }
      *ends++ = static_cast<Position>(kept);
    }
  }
  return static_cast<std::int64_t>(kept);
}

std::int64_t entries_below(const Runs& parents, const Array& pos) {
  const IntegerReader at(pos);
  std::int64_t entries = 0;
  for (const Runs::Run& run : parents.all()) entries += at[run.from + run.count] - at[run.from];
  return entries;
}

/// The new numbers of coordinates that are neighbours, if all of them are kept.
std::optional<Array> all_renumbered(const Array& crd, const Interval& entries, const NewNumbers& numbers) {
  Array renumbered = Array::allocate(crd.type(), entries.size(), false);
  const bool are_kept = with_mutable_coordinates(renumbered, [&](auto to) {
    using Coordinate = typename decltype(to)::value_type;
    const std::span<const Coordinate> from =
        crd.view<Coordinate>().subspan(static_cast<std::size_t>(entries.begin), to.size());
    return with_numbering(numbers, [&](const auto& number_of) {
      constexpr std::size_t some = 1024;  // before anybody looks
      bool all = true;
      for (std::size_t begin = 0; begin < to.size() && all; begin += some) {
        for (std::size_t q = begin; q < std::min(begin + some, to.size()); ++q) {
          const Numbered found = number_of(from[q]);
          to[q] = static_cast<Coordinate>(found.number);
          all &= found.is_kept;
        }
      }
      return all;
    });
  });
  return are_kept ? std::optional(std::move(renumbered)) : std::nullopt;
}

/// Of neighbouring parents, beginning with 0.
Array ends_of(const Array& pos, const Interval& parents) {
  if (parents.begin == 0 && parents.end + 1 == pos.size() && pos.integer(0) == 0) return pos;
  Array ends = Array::allocate(pos.type(), parents.size() + 1, false);
  with_mutable_coordinates(ends, [&](auto to) {
    using Position = typename decltype(to)::value_type;
    const std::span<const Position> from = pos.view<Position>().subspan(static_cast<std::size_t>(parents.begin));
    for (std::size_t p = 0; p < to.size(); ++p) to[p] = static_cast<Position>(from[p] - from[0]);
  });
  return ends;
}

/// Where all entries below neighbouring parents are kept, their values stay where they are.
std::optional<FilteredEntries> all_entries(const LevelStorage& level, const Array& values, const Runs& parents,
                                           const NewNumbers& numbers) {
  if (!parents.is_stretch()) return std::nullopt;
  const Interval above{parents.begin(), parents.begin() + parents.size()};
  const Interval entries{level.pos.integer(above.begin), level.pos.integer(above.end)};
  std::optional<Array> crd = all_renumbered(level.crd, entries, numbers);
  if (!crd) return std::nullopt;
  FilteredEntries out;
  out.level.extent = numbers.size();
  out.level.positions = entries.size();
  out.level.pos = ends_of(level.pos, above);
  out.level.crd = std::move(*crd);
  out.values = window(values, entries.begin, entries.size(), 0);
  return out;
}

}  // namespace

FilteredEntries filtered(const LevelStorage& level, const Array& values, const Runs& parents,
                         const NewNumbers& numbers) {
  if (std::optional<FilteredEntries> all = all_entries(level, values, parents, numbers)) return std::move(*all);
  const std::int64_t room = entries_below(parents, level.pos) + 1;  // the last one may be written and not kept
  Array ends = Array::allocate(level.pos.type(), parents.size() + 1, false);
  Array crd = Array::allocate(level.crd.type(), room, false), kept_values = Array::allocate(values.type(), room, false);
  const std::int64_t kept = with_mutable_coordinates(ends, [&](auto to_pos) {
    return with_mutable_coordinates(crd, [&](auto to_crd) {
      using Position = typename decltype(to_pos)::value_type;
      using Coordinate = typename decltype(to_crd)::value_type;
      return with_width(values.type(), [&](auto width) {
        return with_numbering(numbers, [&](const auto& number_of) {
          return filter<width>(parents, level.pos.view<Position>().data(), level.crd.view<Coordinate>().data(),
                               static_cast<const std::byte*>(values.data()), number_of, to_pos.data(), to_crd.data(),
                               static_cast<std::byte*>(kept_values.mutable_data()));
        });
      });
    });
  });
  FilteredEntries out;
  out.level.extent = numbers.size();
  out.level.positions = kept;
  out.level.pos = std::move(ends);
  out.level.crd = window(crd, 0, kept, 0);  // memory behind it was never touched
  out.values = window(kept_values, 0, kept, 0);
  return out;
}

}  // namespace lacuna
