#pragma once

#include <algorithm>
#include <cstdint>

namespace lacuna {

/// The whole numbers begin, begin + 1, …, end - 1.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
  bool empty() const { return end <= begin; }
  bool contains(std::int64_t i) const { return begin <= i && i < end; }
  bool operator==(const Interval&) const = default;
};

/// What lies in both; empty at the later begin where they are apart.
inline Interval common(const Interval& a, const Interval& b) {
  const std::int64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

}  // namespace lacuna
