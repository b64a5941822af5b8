#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lacuna {

/// Entries that follow each other in the order of a tensor's levels: those whose coordinates, outermost level first,
/// are neither before `first` nor after `last`, as far as these two go. What positions are to a tensor in whole, to one
/// that is held by parts: its positions nobody has numbered.
struct Stretch {
  std::vector<std::int64_t> first, last;

  /// `coordinate(k)` is the one of level k.
  template <typename F>
  bool contains(F&& coordinate) const {
    return compare(first, coordinate) <= 0 && compare(last, coordinate) >= 0;
  }
  /// Whether all of it comes before an entry.
  template <typename F>
  bool ends_before(F&& coordinate) const {
    return compare(last, coordinate) < 0;
  }
  bool operator==(const Stretch&) const = default;

 private:
  /// Less than 0 where the bound comes first.
  template <typename F>
  static int compare(const std::vector<std::int64_t>& bound, const F& coordinate) {
    for (std::size_t k = 0; k < bound.size(); ++k) {
      const std::int64_t c = coordinate(k);
      if (bound[k] != c) return bound[k] < c ? -1 : 1;
    }
    return 0;
  }
};

/// Whether no entry lies in both.
inline bool are_apart(const Stretch& a, const Stretch& b) {
  const auto ends_before = [](const std::vector<std::int64_t>& end, const std::vector<std::int64_t>& begin) {
    const auto shared = static_cast<std::ptrdiff_t>(std::min(end.size(), begin.size()));
    return std::lexicographical_compare(end.begin(), end.begin() + shared, begin.begin(), begin.begin() + shared);
  };
  return ends_before(a.last, b.first) || ends_before(b.last, a.first);
}

}  // namespace lacuna
