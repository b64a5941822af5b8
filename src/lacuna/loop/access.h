#pragma once

#include <optional>

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// The type of `array[index]` or `array[index].field[sub]`. Throws InternalError when the array has no such element: an
/// index that is no integer (or, in an arena, no reference to its records), a field that the record lacks.
IrType accessed_type(const Var& array, const Expr& index, const std::optional<Member>& member);

}  // namespace lacuna::loop
