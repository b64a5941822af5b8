#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

namespace lacuna {

/// The index of the first coordinate outside [low, high), or -1. Branch-free while all lie inside.
template <typename T>
std::int64_t first_outside(std::span<const T> coordinates, std::int64_t low, std::int64_t high) {
  const auto width = static_cast<std::uint64_t>(high - low);
  const auto is_outside = [low, width](T c) {
    // A value below `low` wraps to a huge one; an unsigned 64-bit value beyond Int64 is as huge.
    return static_cast<std::uint64_t>(c) - static_cast<std::uint64_t>(low) >= width;
  };
  bool outside = false;
  for (const T c : coordinates) outside |= is_outside(c);
  if (!outside) return -1;
  return std::find_if(coordinates.begin(), coordinates.end(), is_outside) - coordinates.begin();
}

}  // namespace lacuna
