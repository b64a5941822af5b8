#pragma once

#include <cstdint>

namespace lacuna {

// How hashed levels find slots. Part of the kernel ABI: generated kernels compute the same.

/// Slots of a parent with `children` stored coordinates: none, or the smallest power of two that is at least twice as
/// many, so that a probe always meets an empty slot.
inline std::int64_t hash_region_size(std::int64_t children) {
  if (children == 0) return 0;
  std::int64_t size = 2;
  while (size < 2 * children) size *= 2;
  return size;
}

/// The slot, relative to its region of `size` slots (a power of two), at which the search for a coordinate starts; it
/// goes on to the next slot, cyclically, until the coordinate or an empty slot is met.
inline std::int64_t hash_slot(std::int64_t coordinate, std::int64_t size) {
  const std::uint64_t hash = static_cast<std::uint64_t>(coordinate) * 0x9E3779B97F4A7C15u >> 32;
  return static_cast<std::int64_t>(hash & static_cast<std::uint64_t>(size - 1));
}

/// What an empty slot's crd holds.
inline constexpr std::int32_t empty_slot = -1;

}  // namespace lacuna
