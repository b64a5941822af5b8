#pragma once

#include "lacuna/loop/ir.h"

namespace lacuna::loop::verifier {

/// Throws InternalError unless the node has the type that its operands give it (calls excepted).
void check_types(const Expr& expr);
/// Throws InternalError unless what the statement evaluates has the types that it needs.
void check_types(const Stmt& stmt);

}  // namespace lacuna::loop::verifier
