#pragma once

#include "lacuna/loop/ir.h"

namespace lacuna::loop {

/// Whether an expression, its operands aside, reads an element of the array, or the array itself.
bool reads(const Expr& e, const Var& array);

/// Whether a statement, those inside aside, changes the array in another way than by adding to its elements.
bool changes(const Stmt& stmt, const Var& array);

/// Whether all that a statement does with the array, at any depth, is to add to its elements.
bool only_adds_to(const Stmt& stmt, const Var& array);

}  // namespace lacuna::loop
