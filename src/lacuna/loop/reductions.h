#pragma once

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// What changes no value of the type that it is combined with. Throws InternalError for Set, which combines nothing.
Scalar identity(StoreOp op, Type type);

/// Two values of one type, combined.
Expr combined(StoreOp op, const Expr& a, const Expr& b);

}  // namespace lacuna::loop
