#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lacuna/support/scalar.h"

namespace lacuna::tool {

/// A value that a user wrote, or what is wrong with it.
struct ParsedValue {
  std::optional<Scalar> value;  // of the type that was asked for
  bool is_number = false;       // though perhaps none that the type holds
  std::string fault;            // in words that follow the word: "is not a number", "does not fit int8"
};

/// Reads the whole word as a value of a type: a number as files write it (2.5, +3, 1e3, inf), a literal of index
/// notation (true, complex(1,-2)), or a complex number as 1-2i. Without a type, it is one of float64, complex128 or
/// bool. An integer may be written as 3.0 or 3e2; a bool says whether the number is another than zero; digits that a
/// floating type has no room for are rounded. Every other number that the type cannot hold is a fault.
ParsedValue parse_value(std::string_view word, std::optional<Type> type = std::nullopt);

}  // namespace lacuna::tool
