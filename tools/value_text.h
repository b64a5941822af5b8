#pragma once

#include <string_view>

#include "lacuna/io/numbers.h"
#include "lacuna/support/scalar.h"

namespace lacuna::tool {

/// A value that a user wrote, or what is wrong with it.
struct ParsedValue {
  Scalar value;
  NumberFault fault = NumberFault::None;
};

/// Reads the whole word as a value of a type. An integer may be written as 3.0 or 3e2; a bool says whether the number
/// is another than zero; digits that a floating type has no room for are rounded. Every other number that the type
/// cannot hold is a fault.
ParsedValue parse_value(std::string_view word, Type type);

}  // namespace lacuna::tool
