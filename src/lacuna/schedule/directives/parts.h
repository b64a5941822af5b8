#pragma once

#include <optional>

#include "lacuna/schedule/problem/problem.h"

/// Parts of expressions: what precompute looks for and takes out.
namespace lacuna::directives {

/// Whether e is a product (or quotient's numerator, or negative) of `part` and things without it: then sums over
/// variables of `part` alone may be taken inside. `sum` is the type that is added up in.
bool linear_in(const Expr& e, const Expr& part, const concrete::Program& p, Type sum);

/// e with every `part` in it replaced.
Expr replace(const Expr& e, const Expr& part, const Expr& by);

/// The part of an expression of the program that a user wrote as `wanted`; its accesses may read copies.
std::optional<Expr> find_part(const Scheduled& s, const Expr& e, const Expr& wanted);

/// An expression in which a part of it stands together.
struct Regrouped {
  Expr whole, part;
};

/// Factors of one product of an expression, brought together: B*D in B*C*D gives (B*D)*C. Nothing where `wanted` is no
/// product, or no product has all of its factors.
std::optional<Regrouped> bring_together(const Scheduled& s, const Expr& e, const Expr& wanted);

}  // namespace lacuna::directives
