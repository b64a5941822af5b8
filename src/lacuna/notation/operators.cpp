#include "lacuna/notation/operators.h"

namespace lacuna {

Expr operator+(const Expr& a, const Expr& b) { return make_expr(Binary{BinaryOp::Add, a, b}); }
Expr operator-(const Expr& a, const Expr& b) { return make_expr(Binary{BinaryOp::Sub, a, b}); }
Expr operator*(const Expr& a, const Expr& b) { return make_expr(Binary{BinaryOp::Mul, a, b}); }
Expr operator/(const Expr& a, const Expr& b) { return make_expr(Binary{BinaryOp::Div, a, b}); }

// A literal stays a literal, because "-2" in a text is one, too.
Expr operator-(const Expr& a) {
  if (const auto* literal = as<Literal>(a)) return Expr(-literal->value);
  return make_expr(Negate{a});
}

Expr sum(const IndexVar& var, const Expr& e) { return make_expr(Sum{var, e}); }

// Casting a literal is the only way to write one of some types, so it has to give a literal.
Expr cast(Type type, const Expr& e) {
  if (const auto* literal = as<Literal>(e)) return Expr(literal->value.convert(type));
  return make_expr(Cast{type, e});
}

Expr call(FunctionId function, std::vector<Expr> arguments) { return make_expr(Call{function, std::move(arguments)}); }

Expr min(const Expr& a, const Expr& b) { return call(FunctionId::Min, {a, b}); }
Expr max(const Expr& a, const Expr& b) { return call(FunctionId::Max, {a, b}); }
Expr abs(const Expr& a) { return call(FunctionId::Abs, {a}); }
Expr sqrt(const Expr& a) { return call(FunctionId::Sqrt, {a}); }
Expr exp(const Expr& a) { return call(FunctionId::Exp, {a}); }
Expr log(const Expr& a) { return call(FunctionId::Log, {a}); }
Expr pow(const Expr& a, const Expr& b) { return call(FunctionId::Pow, {a, b}); }

}  // namespace lacuna
