#pragma once

#include "lacuna/support/check.h"
#include "lacuna/support/interval.h"

namespace lacuna {

// The one rule by which `divide` cuts loops and distributions cut tensors: n things in p pieces are n/p each, rounded
// up, so that the last pieces may be shorter, or empty. Data and loops that are cut alike so meet without moving.

/// How long each of `pieces` blocks of `n` is; the last ones may be shorter. `pieces` is at least 1.
inline std::int64_t block_length(std::int64_t n, std::int64_t pieces) {
  internal_check(n >= 0 && pieces >= 1, "{} in {} pieces", n, pieces);
  return n / pieces + (n % pieces != 0 ? 1 : 0);
}

/// The `piece`-th of `pieces` blocks of [0, n).
inline Interval block(std::int64_t n, std::int64_t pieces, std::int64_t piece) {
  internal_check(piece >= 0 && piece < pieces, "piece {} of {}", piece, pieces);
  const std::int64_t length = block_length(n, pieces);
  // Not piece * length, which may be more than 64 bits hold.
  const std::int64_t begin = length == 0 || piece > n / length ? n : std::min(n, piece * length);
  return {begin, begin + std::min(length, n - begin)};
}

/// Which block of [0, n) holds i.
inline std::int64_t block_of(std::int64_t n, std::int64_t pieces, std::int64_t i) {
  internal_check(i >= 0 && i < n, "{} is not in [0, {})", i, n);
  return i / block_length(n, pieces);
}

}  // namespace lacuna
