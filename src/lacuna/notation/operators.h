#pragma once

#include "lacuna/notation/expr.h"

namespace lacuna {

// The parser builds its trees with these, too. Negating or casting a literal gives a literal.
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
/// sum(j, e): the explicit reduction over j.
Expr sum(const IndexVar& var, const Expr& e);
Expr cast(Type type, const Expr& e);
/// Any function of the table; throws Error when the number of arguments is wrong.
Expr call(FunctionId function, std::vector<Expr> arguments);
// The common ones by name (the rest through call()).
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr abs(const Expr& a);
Expr sqrt(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr pow(const Expr& a, const Expr& b);

}  // namespace lacuna
