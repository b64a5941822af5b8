#include "lacuna/distribute/parts/filter_entries.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

#include "lacuna/distribute/parts/width.h"
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

template <std::size_t width, typename Position, typename Coordinate, typename Number, typename End>
std::int64_t filter(const Runs& parents, const Position* pos, const Coordinate* crd, const std::byte* values,
                    const Number& number_of, End* ends, Coordinate* to_crd, std::byte* to_values) {
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
      *ends++ = static_cast<End>(kept);
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

/// Positions of what is made here are as wide as all entries need, whatever width they were given in.
Type type_of_ends(const LevelStorage& level) { return position_type(level.crd.size()); }

/// Of neighbouring parents, beginning with 0.
Array ends_of(const LevelStorage& level, const Interval& parents) {
  const Type type = type_of_ends(level);
  const bool are_all = parents.begin == 0 && parents.end + 1 == level.pos.size();
  if (are_all && level.pos.type() == type && level.pos.integer(0) == 0) return level.pos;
  Array ends = Array::allocate(type, parents.size() + 1, false);
  with_mutable_coordinates(ends, [&](auto to) {
    with_coordinates(level.pos, [&](auto pos) {
      const auto from = pos.subspan(static_cast<std::size_t>(parents.begin));
      for (std::size_t p = 0; p < to.size(); ++p)
        to[p] = static_cast<typename decltype(to)::value_type>(from[p] - from[0]);
    });
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
  out.level.pos = ends_of(level, above);
  out.level.crd = std::move(*crd);
  out.values = window(values, entries.begin, entries.size(), 0);
  return out;
}

}  // namespace

FilteredEntries filtered(const LevelStorage& level, const Array& values, const Runs& parents,
                         const NewNumbers& numbers) {
  if (std::optional<FilteredEntries> all = all_entries(level, values, parents, numbers)) return std::move(*all);
  const std::int64_t room = entries_below(parents, level.pos) + 1;  // the last one may be written and not kept
  Array ends = Array::allocate(type_of_ends(level), parents.size() + 1, false);
  Array crd = Array::allocate(level.crd.type(), room, false), kept_values = Array::allocate(values.type(), room, false);
  std::int64_t kept = 0;
  with_mutable_coordinates(ends, [&](auto to_pos) {
    with_coordinates(level.pos, [&](auto pos) {
      with_mutable_coordinates(crd, [&](auto to_crd) {
        const auto* const from = level.crd.view<typename decltype(to_crd)::value_type>().data();
        with_width(values.type(), [&](auto width) {
          with_numbering(numbers, [&](const auto& number_of) {
            kept = filter<width>(parents, pos.data(), from, static_cast<const std::byte*>(values.data()), number_of,
                                 to_pos.data(), to_crd.data(), static_cast<std::byte*>(kept_values.mutable_data()));
          });
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
