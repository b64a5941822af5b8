#pragma once

#include <optional>
#include <string>

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// A type as the printer shows it: "int32", "float64[]", "node*", "node[]", "node*[]", "float64[][]", "void".
std::string type_text(const IrType& type);

/// `array[index]`, `arena[index].field` or `arena[index].field[sub]`.
std::string element_text(const Var& array, const Expr& index, const std::optional<Member>& member);

}  // namespace lacuna::loop
