#include "lacuna/distribute/part/array_sizes.h"

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
    internal_check(level.nodes.empty() && level.origin == 0, "a part is not made of arrays of its own");
    numbers_.insert(numbers_.end(), {level.extent, level.positions, level.nonempty ? 1 : 0});
  }
  each_array(part, [&](const Array& array) {
    internal_check(array.base() == 0, "a part has a stretch of an array");
    numbers_.insert(numbers_.end(), {static_cast<std::int64_t>(array.type()), array.size()});
  });
}

/// Calls f(type, size) for each array.
template <typename F>
void ArraySizes::each(const F& f) const {
  for (std::size_t k = 3 * order(); k < numbers_.size(); k += 2) f(static_cast<Type>(numbers_[k]), numbers_[k + 1]);
}

std::int64_t ArraySizes::bytes() const {
  std::int64_t sum = 0;
  each([&](Type type, std::int64_t size) { sum += size * size_of(type); });
  return sum;
}

std::int64_t ArraySizes::room() const {
  std::int64_t sum = 0;
  each([&](Type type, std::int64_t size) { sum += in_lines(size * size_of(type)); });
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
    level.extent = numbers_[3 * k];
    level.positions = numbers_[3 * k + 1];
    level.nonempty = numbers_[3 * k + 2] != 0;
  }
  std::vector<Array> arrays;
  const auto* next = static_cast<const std::byte*>(buffer.data());
  each([&](Type type, std::int64_t size) {
    arrays.push_back(Array::borrow(type, next, size, buffer.owner()));
    next += in_lines(size * size_of(type));
  });
  std::size_t n = 0;
  each_array(part, [&](Array& array) { array = arrays[n++]; });
  return part;
}

}  // namespace lacuna
