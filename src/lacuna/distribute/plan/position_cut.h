#pragma once

#include "lacuna/distribute/plan/launch.h"

namespace lacuna::launch {

/// Which positions a loop over stored entries cuts up: of the operand, and down to which level, that which
/// distributions would count (sets/restriction.h). Throws Error where the
/// access is no operand, or several, where its outermost levels do not store the variables of the loop, and where its
/// entries cannot be dealt out since they are no factor of every term.
PositionCut position_cut(const Launch& launch, const std::map<std::string, Format>& formats,
                         const LoopVariables::Positions& positions);

/// Whether an expression is a product, or the numerator of a quotient, one of whose factors is this access: then there
/// is nothing where it stores nothing.
bool is_factor(const Expr& e, const Operand& operand);
/// The same, and there is no other access of its tensor: then entries can be dealt out.
bool is_factor_once(const Expr& e, const Operand& operand);

}  // namespace lacuna::launch
