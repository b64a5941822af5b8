#pragma once

#include <cstdint>

#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/fortran_format.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// A section of numbers as the header announces it.
struct SectionHeader {
  std::int64_t lines = 0;
  FortranFormat format;
};

/// The four header lines of a Rutherford-Boeing file (five in a Harwell-Boeing file with right-hand sides).
struct RutherfordBoeingHeader {
  Field field = Field::Real;
  Symmetry symmetry = Symmetry::General;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;
  SectionHeader pointers;
  SectionHeader indices;
  SectionHeader values;  // meaningless for a pattern
  bool right_hand_sides = false;
  std::size_t body = 0;
};

RutherfordBoeingHeader read_rutherford_boeing_header(const Text& text);

}  // namespace lacuna
