#include "lacuna/distribute/tensors/tuple_set.h"

#include <algorithm>
#include <numeric>

#include "lacuna/distribute/parts/numbering.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

void TupleSet::add(const std::int64_t* tuple) {
  if (size() > 0 && std::equal(tuple, tuple + length_, (*this)[size() - 1])) return;
  numbers_.insert(numbers_.end(), tuple, tuple + length_);
}

void TupleSet::sort() {
  const auto before = [&](std::int64_t a, std::int64_t b) {
    return std::lexicographical_compare((*this)[a], (*this)[a] + length_, (*this)[b], (*this)[b] + length_);
  };
  bool sorted = true;  // as most come
  for (std::int64_t n = 1; n < size() && sorted; ++n) sorted = before(n - 1, n);
  if (sorted) return;
  std::vector<std::int64_t> order(static_cast<std::size_t>(size()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(), before);
  TupleSet set(length_);
  set.numbers_.reserve(numbers_.size());
  for (const std::int64_t n : order) set.add((*this)[n]);
  numbers_ = std::move(set.numbers_);
}

std::int64_t TupleSet::count_before(const std::vector<std::int64_t>& bound) const {
  std::int64_t low = 0, high = size();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::int64_t* tuple = (*this)[middle];
    if (std::lexicographical_compare(tuple, tuple + bound.size(), bound.begin(), bound.end())) low = middle + 1;
    else high = middle;
  }
  return low;
}

TupleSet TupleSet::without(const TupleSet& other) const {
  TupleSet rest(length_);
  std::int64_t k = 0;
  for (std::int64_t n = 0; n < size(); ++n) {
    const auto before = [&] {
      return std::lexicographical_compare(other[k], other[k] + length_, (*this)[n], (*this)[n] + length_);
    };
    while (k < other.size() && before()) ++k;
    if (k == other.size() || !std::equal(other[k], other[k] + length_, (*this)[n])) rest.add((*this)[n]);
  }
  return rest;
}

void add_coordinates(const LocalPart& part, const std::vector<std::size_t>& modes, TupleSet& to) {
  const CoordinateList entries = coordinates_of(part.storage);
  std::vector<Coordinates> number;
  std::vector<IntegerReader> columns;
  for (const std::size_t m : modes) {
    number.emplace_back(part.sets[m], entries.size());
    columns.emplace_back(entries.coordinates[m]);
  }
  std::vector<std::int64_t> tuple(modes.size());
  for (std::int64_t e = 0; e < entries.size(); ++e) {
    for (std::size_t k = 0; k < tuple.size(); ++k) tuple[k] = number[k][columns[k][e]];
    to.add(tuple.data());
  }
}

}  // namespace lacuna
