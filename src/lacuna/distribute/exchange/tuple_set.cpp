#include "lacuna/distribute/exchange/tuple_set.h"

#include <algorithm>
#include <numeric>

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

}  // namespace lacuna
