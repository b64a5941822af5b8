#pragma once

#include <optional>
#include <string>

#include "lacuna/support/scalar.h"

namespace lacuna::tool {

/// A number as index notation writes literals (2.5, -3, true, inf, complex(1, -2)), or a complex one as 1-2i. None
/// where the text is none.
std::optional<Scalar> parse_number(const std::string& text);

/// The type of a tensor that holds a number whose type nobody said: real ones are float64.
Type natural_type(const Scalar& number);

}  // namespace lacuna::tool
