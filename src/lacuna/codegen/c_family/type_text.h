#pragma once

#include <string>
#include <string_view>

#include "lacuna/loop/ir.h"

namespace lacuna {

/// The C type of an element: "int32_t", "double _Complex", "bool".
std::string_view c_type(Type type);
/// The C type of a variable: an array's is a pointer to its elements, with the space or star that goes before the name.
std::string declarator(const loop::IrType& type, bool is_const, bool is_restrict);
/// The C type of one element of an array or arena, of the arrays of a shelf, or of a scalar.
std::string element_c_type(const loop::IrType& type);
/// A real constant as C writes it: shortest text that reads back to the same value. Infinity and NaN need the macros.
std::string real_literal(const Scalar& value);

}  // namespace lacuna
