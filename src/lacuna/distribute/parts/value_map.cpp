#include "lacuna/distribute/parts/value_map.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "lacuna/distribute/parts/width.h"
#include "lacuna/distribute/sets/runs.h"
#include "lacuna/support/type_visit.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {
namespace {

/// Where levels are in order, what stores as much of the same stores it alike.
bool same_order(const Storage& a, const Storage& b) {
  for (int k = 0; k < a.format.order(); ++k) {
    const auto level = static_cast<std::size_t>(k);
    if (!a.format.level(k).ordered && !same_coordinates(a.levels[level].crd, b.levels[level].crd)) return false;
  }
  return true;
}

bool same_sizes(const Storage& a, const Storage& b) {
  const auto alike = [](const LevelStorage& x, const LevelStorage& y) {
    return x.positions == y.positions && x.pos.size() == y.pos.size() && x.crd.size() == y.crd.size() &&
           x.present.size() == y.present.size();
  };
  return std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(), alike) &&
         a.values.size() == b.values.size();
}

}  // namespace

bool same_coordinates(const Array& a, const Array& b) {
  if (a.type() != b.type() || a.size() != b.size() || a.base() != b.base()) return false;
  // What coordinates lie in does not change under a tensor, so that the same memory is the same.
  return a.data() == b.data() || a.empty() || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

Storage numbered(const Storage& storage) {
  Storage out = storage;
  out.type = Type::Int64;
  out.fill = Scalar::zero(Type::Int64);
  out.values = Array::allocate(Type::Int64, storage.values.size(), false);
  const auto numbers = out.values.mutable_view<std::int64_t>();
  std::iota(numbers.begin(), numbers.end(), std::int64_t{1});
  out.values = numbered_from(out.values, storage.values.base());
  return out;
}

LocalPart numbered(const LocalPart& part) { return {part.sets, numbered(part.storage)}; }

std::optional<ValueMap> ValueMap::between(const Storage& made, const Storage& of_numbers) {
  const Format& format = made.format;
  if (!format.level(format.order() - 1).unique || !same_sizes(made, of_numbers) || !same_order(made, of_numbers))
    return std::nullopt;
  std::vector<std::int64_t> from, to;
  ValueMap map;
  map.fill_ = made.fill;
  map.size_ = made.values.size();
  const auto numbers = of_numbers.values.view<std::int64_t>();
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto place = static_cast<std::int64_t>(k);
    if (numbers[k] == 0) map.filled_.push_back(place);
    else {
      from.push_back(numbers[k] - 1);
      to.push_back(place);
    }
  }
  map.moved_ = std::ssize(from);
  map.from_ = places_of(from);
  map.to_ = places_of(to);
  return map;
}

std::optional<ValueMap> ValueMap::into(const LocalPart& made, const LocalPart& numbers) {
  const PartShape shape{made.storage.format, Type::Int64, Scalar::zero(Type::Int64)};
  LocalPart none = made;
  none.storage.type = shape.type;
  none.storage.fill = shape.fill;
  none.storage.values = Array::allocate(shape.type, made.storage.values.size(), true);
  std::optional<ValueMap> map = between(made.storage, add_up({none, numbers}, made.sets, shape).storage);
  if (map) map->filled_.clear();
  return map;
}

ValueMap::Places ValueMap::places_of(const std::vector<std::int64_t>& all) {
  if (all.empty()) return {};
  const auto breaks = [](std::int64_t a, std::int64_t b) { return b != a + 1; };
  if (std::adjacent_find(all.begin(), all.end(), breaks) == all.end()) return {all.front()};
  Places places{0, Array::allocate(position_type(*std::max_element(all.begin(), all.end())), std::ssize(all), false)};
  with_mutable_coordinates(places.list, [&](auto to) {
    using Place = typename decltype(to)::value_type;
    std::transform(all.begin(), all.end(), to.begin(), [](std::int64_t place) { return static_cast<Place>(place); });
  });
  return places;
}

/// Calls f with what tells the place of the k-th value.
template <typename F>
void ValueMap::with_places(const Places& places, const F& f) {
  const auto first = static_cast<std::size_t>(places.begin);
  if (places.list.empty()) return f([first](std::size_t k) { return first + k; });
  with_coordinates(places.list,
                   [&](auto list) { f([list](std::size_t k) { return static_cast<std::size_t>(list[k]); }); });
}

void ValueMap::copy(const void* from, void* to) const {
  put(from, to);
  std::array<std::byte, 16> fill{};
  fill_.store(fill.data());
  const auto width = static_cast<std::size_t>(size_of(fill_.type()));
  for (const std::int64_t place : filled_)
    std::memcpy(static_cast<std::byte*>(to) + static_cast<std::size_t>(place) * width, fill.data(), width);
}

void ValueMap::put(const void* from, void* to) const {
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  with_width(fill_.type(), [&](auto width) {
    if (moved_ == 0) return;
    if (is_one_run()) {
      std::memcpy(target + static_cast<std::size_t>(to_.begin) * width,
                  source + static_cast<std::size_t>(from_.begin) * width, static_cast<std::size_t>(moved_) * width);
      return;
    }
    with_places(from_, [&](auto in) {
      with_places(to_, [&](auto out) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(moved_); ++k)
          std::memcpy(target + out(k) * width, source + in(k)*width, width);
      });
    });
  });
}

void ValueMap::add(const void* from, void* to) const {
  visit_type(fill_.type(), [&](auto zero) {
    using T = decltype(zero);
    const T* source = static_cast<const T*>(from);
    T* target = static_cast<T*>(to);
    with_places(from_, [&](auto in) {
      with_places(to_, [&](auto out) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(moved_); ++k)
          target[out(k)] = static_cast<T>(add_wrapping(widen(target[out(k)]), widen(source[in(k)])));
      });
    });
  });
}

std::optional<std::int64_t> ValueMap::stretch_from() const {
  if (!is_one_run() || to_.begin != 0 || moved_ != size_) return std::nullopt;
  return from_.begin * size_of(fill_.type());
}

std::optional<std::int64_t> ValueMap::stretch_to() const {
  if (!is_one_run() || from_.begin != 0) return std::nullopt;
  return to_.begin * size_of(fill_.type());
}

void take_own_values(LocalPart& part) { part.storage.values = part.storage.values.copy(); }

}  // namespace lacuna
