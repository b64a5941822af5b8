#pragma once

#include <cstdint>
#include <optional>

#include "lacuna/io/coordinate_body.h"

namespace lacuna {

/// The first entry (from 0) above the diagonal whose mirror is given, too: expanding it would count both twice.
std::optional<std::int64_t> find_given_mirror(const CoordinateList& entries);

/// Adds the mirror of every entry off the diagonal, right after it:
///     (1,0) 5; (1,1) 6   becomes   (1,0) 5; (0,1) 5; (1,1) 6
/// negated for skew-symmetric, conjugated for hermitian matrices. The matrix must be square.
CoordinateList expand_symmetry(const CoordinateList& entries, Symmetry symmetry, const ReadContext& context);

/// The value of the mirror of an entry.
template <typename T>
T mirrored_value(T value, Symmetry symmetry) {
  if (symmetry == Symmetry::SkewSymmetric) {
    if constexpr (std::is_same_v<T, bool>) return value;
    else return static_cast<T>(-value);
  }
  if constexpr (is_complex_value<T>) {
    if (symmetry == Symmetry::Hermitian) return std::conj(value);
  }
  return value;
}

}  // namespace lacuna
