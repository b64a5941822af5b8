#pragma once

#include "lacuna/loop/interpret/code.h"

namespace lacuna::loop::interpreter {

/// What runs a Binary node: operands of type `type`, operands evaluated left to right (And and Or only as needed).
Code::Run binary_operation(const Binary& node, Type type);
Code::Run unary_operation(UnaryOp op, Type type);
/// What converts operands of type `from`; `checked`: a change of value is reported (index arithmetic).
Code::Run conversion(Type from, Type to, bool checked);
/// From an integer to a reference.
Code::Run reference_conversion();
Code::Run math_operation();

}  // namespace lacuna::loop::interpreter
