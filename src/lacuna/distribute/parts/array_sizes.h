#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// Calls f with each array of a storage that is made of arrays alone, in their order; or with those of several alike.
template <typename F, typename First, typename... Storages>
void each_array(const F& f, First& first, Storages&... others) {
  for (std::size_t k = 0; k < first.levels.size(); ++k) {
    f(first.levels[k].pos, others.levels[k].pos...);
    f(first.levels[k].crd, others.levels[k].crd...);
    f(first.levels[k].present, others.levels[k].present...);
  }
  f(first.values, others.values...);
}

/// How large the arrays of a part are: what a rank has to know before it can receive them one by one.
class ArraySizes {
 public:
  /// Of a part that is made of arrays.
  explicit ArraySizes(const Storage& part);
  /// As numbers() of some order were.
  explicit ArraySizes(std::span<const std::int64_t> numbers) : numbers_(numbers.begin(), numbers.end()) {}
  /// For other ranks: so many, by order.
  static std::size_t count(std::size_t order) { return 13 * order + 3; }
  const std::vector<std::int64_t>& numbers() const { return numbers_; }
  bool operator==(const ArraySizes&) const = default;

  /// Of all arrays.
  std::int64_t bytes() const;
  /// That they take one behind the other, each at the beginning of a line of the cache.
  std::int64_t room() const;
  /// A part with its arrays in a buffer of bytes that has room for them.
  Storage laid_out(const Array& buffer, const std::vector<IndexSet>& sets, const PartShape& shape) const;

 private:
  std::size_t order() const { return numbers_.size() / 13; }
  template <typename F>
  void each(const F& f) const;

  // Of each level, origin, extent, positions and nonempty; of each array, type, size and base.
  std::vector<std::int64_t> numbers_;
};

}  // namespace lacuna
