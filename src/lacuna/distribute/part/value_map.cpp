#include "lacuna/distribute/part/value_map.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "lacuna/distribute/part/width.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {
namespace {

bool same_sizes(const Storage& a, const Storage& b) {
  const auto alike = [](const LevelStorage& x, const LevelStorage& y) {
    return x.positions == y.positions && x.pos.size() == y.pos.size() && x.crd.size() == y.crd.size() &&
           x.present.size() == y.present.size();
  };
  return std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(), alike) &&
         a.values.size() == b.values.size();
}

template <std::size_t width, typename Number>
void copy_values(std::span<const Number> numbers, const std::byte* from, const std::byte* fill, std::byte* to) {
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto number = static_cast<std::size_t>(numbers[k]);
    std::memcpy(to + k * width, number == 0 ? fill : from + (number - 1) * width, width);
  }
}

}  // namespace

Storage numbered(const Storage& storage, std::int64_t first) {
  Storage out = storage;
  out.type = Type::Int64;
  out.fill = Scalar::zero(Type::Int64);
  out.values = Array::allocate(Type::Int64, storage.values.size(), false);
  const auto numbers = out.values.mutable_view<std::int64_t>();
  std::iota(numbers.begin(), numbers.end(), first);
  out.values = numbered_from(out.values, storage.values.base());
  return out;
}

std::optional<ValueMap> ValueMap::between(const Storage& made, const Storage& of_numbers) {
  const Format& format = made.format;
  if (!format.level(format.order() - 1).unique || !same_sizes(made, of_numbers)) return std::nullopt;
  const auto numbers = of_numbers.values.view<std::int64_t>();
  const std::int64_t most = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  ValueMap map;
  map.fill_ = made.fill;
  map.numbers_ = Array::allocate(position_type(most), of_numbers.values.size(), false);
  with_mutable_coordinates(map.numbers_, [&](auto to) {
    using Number = typename decltype(to)::value_type;
    std::transform(numbers.begin(), numbers.end(), to.begin(), [](std::int64_t n) { return static_cast<Number>(n); });
  });
  return map;
}

void ValueMap::copy(const void* from, void* to) const {
  std::array<std::byte, 16> fill{};
  fill_.store(fill.data());
  with_coordinates(numbers_, [&](auto numbers) {
    with_width(fill_.type(), [&](auto width) {
      copy_values<width>(numbers, static_cast<const std::byte*>(from), fill.data(), static_cast<std::byte*>(to));
    });
  });
}

void take_own_values(LocalPart& part) {
  Storage& storage = part.storage;
  Array values = Array::allocate(storage.type, storage.values.size(), false);
  if (!storage.values.empty())
    std::memcpy(values.mutable_data(), storage.values.data(), static_cast<std::size_t>(storage.values.bytes()));
  storage.values = numbered_from(values, storage.values.base());
}

}  // namespace lacuna
