#include "lacuna/distribute/parts/array_sizes.h"

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

std::int64_t in_lines(std::int64_t bytes) {
  constexpr std::int64_t line = 64;
  return (bytes + line - 1) / line * line;
}

}  // namespace

ArraySizes::ArraySizes(const Storage& part) {
  numbers_.reserve(count(part.levels.size()));
  for (const LevelStorage& level : part.levels) {
    internal_check(level.nodes.empty(), "a part is not made of arrays");
    numbers_.insert(numbers_.end(), {level.origin, level.extent, level.positions, level.nonempty ? 1 : 0});
  }
  each_array(
      [&](const Array& array) {
        numbers_.insert(numbers_.end(), {static_cast<std::int64_t>(array.type()), array.size(), array.base()});
      },
      part);
}

/// Calls f(type, size, base) for each array.
template <typename F>
void ArraySizes::each(const F& f) const {
  for (std::size_t k = 4 * order(); k < numbers_.size(); k += 3)
    f(static_cast<Type>(numbers_[k]), numbers_[k + 1], numbers_[k + 2]);
}

std::int64_t ArraySizes::bytes() const {
  std::int64_t sum = 0;
  each([&](Type type, std::int64_t size, std::int64_t) { sum += size * size_of(type); });
  return sum;
}

std::int64_t ArraySizes::room() const {
  std::int64_t sum = 0;
  each([&](Type type, std::int64_t size, std::int64_t) { sum += in_lines(size * size_of(type)); });
  return sum;
}

Storage ArraySizes::laid_out(const Array& buffer, const std::vector<IndexSet>& sets, const PartShape& shape) const {
  internal_check(buffer.bytes() >= room() && sets.size() == order(), "a part does not fit into a buffer");
  Storage part;
  part.format = shape.format;
  part.type = shape.type;
  part.fill = shape.fill;
  for (const IndexSet& set : sets) part.dimensions.push_back(set.size());
  for (std::size_t k = 0; k < order(); ++k) {
    LevelStorage& level = part.levels.emplace_back();
    level.origin = numbers_[4 * k];
    level.extent = numbers_[4 * k + 1];
    level.positions = numbers_[4 * k + 2];
    level.nonempty = numbers_[4 * k + 3] != 0;
  }
  std::vector<Array> arrays;
  const auto* next = static_cast<const std::byte*>(buffer.data());
  each([&](Type type, std::int64_t size, std::int64_t base) {
    arrays.push_back(Array::borrow(type, next, size, buffer.owner(), base));
    next += in_lines(size * size_of(type));
  });
  std::size_t n = 0;
  each_array([&](Array& array) { array = arrays[n++]; }, part);
  return part;
}

}  // namespace lacuna
