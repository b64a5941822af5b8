#include "lacuna/reference/bindings.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lacuna::reference {

void Bindings::sort_and_deduplicate() {
  if (extents_.empty()) {
    size_ = std::min<std::int64_t>(size_, 1);
  } else if (fits_one_word()) {
    sort_words();
  } else {
    sort_rows();
  }
}

bool Bindings::fits_one_word() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents_) {
    if (extent > 0 && product > std::numeric_limits<std::int64_t>::max() / extent) return false;
    product *= extent;
  }
  return true;
}

// Millions of bindings are common, and one number each sorts many times faster than rows do.
void Bindings::sort_words() {
  std::vector<std::int64_t> words(static_cast<std::size_t>(size_));
  for (std::int64_t k = 0; k < size_; ++k) {
    const auto row = (*this)[k];
    std::int64_t word = 0;
    for (std::size_t v = 0; v < row.size(); ++v) word = word * extents_[v] + row[v];
    words[static_cast<std::size_t>(k)] = word;
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  size_ = static_cast<std::int64_t>(words.size());
  flat_.resize(words.size() * extents_.size());
  for (std::size_t k = 0; k < words.size(); ++k) {
    for (std::size_t v = extents_.size(); v-- > 0;) {
      flat_[k * extents_.size() + v] = words[k] % extents_[v];
      words[k] /= extents_[v];
    }
  }
}

void Bindings::sort_rows() {
  std::vector<std::int64_t> order(static_cast<std::size_t>(size_));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto less = [&](std::int64_t a, std::int64_t b) {
    const auto x = (*this)[a];
    const auto y = (*this)[b];
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  };
  std::sort(order.begin(), order.end(), less);
  Bindings sorted(extents_);
  sorted.flat_.reserve(flat_.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || less(order[k - 1], order[k])) sorted.add((*this)[order[k]]);
  }
  *this = std::move(sorted);
}

}  // namespace lacuna::reference
