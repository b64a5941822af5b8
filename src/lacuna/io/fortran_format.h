#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lacuna/io/numbers.h"

namespace lacuna {

/// A Fortran format for one kind of field, such as (26I3), (1P,5E16.8), (1X,8I9) or (3(1P,E24.16)).
struct FortranFormat {
  std::int64_t per_line = 1;
  std::int64_t first = 0;   // columns before the first field
  std::int64_t stride = 1;  // columns from the beginning of a field to that of the next
  char kind = 'I';          // I, or one of E D F G
  std::int64_t width = 1;
  std::int64_t decimals = 0;
  std::int64_t scale = 0;  // the k of kP

  bool integer() const { return kind == 'I'; }
};

/// Reads a format with its parentheses: fields that are alike and equally far apart, columns that are skipped (nX), and
/// groups. None where it is not of this form.
std::optional<FortranFormat> parse_fortran_format(std::string_view text);

/// Reads a field, stripped of blanks, as Fortran does: the exponent may have a D or no letter, and digits without a
/// point have `decimals` places after it.
NumberFault read_fortran_real(std::string_view field, const FortranFormat& format, double& value);

}  // namespace lacuna
