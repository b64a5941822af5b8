#pragma once

#include "lacuna/api/expression.h"
#include "lacuna/api/whole.h"
#include "lacuna/support/functions.h"

namespace lacuna {

// The functions of index notation (`lacuna help functions`) by their names: sin(e), pow(A, 2.0). The names of three are
// words of C++: call("and", {a, b}), call("or", {a, b}), call("not", {a}).

// clang-format off
#define LACUNA_FUNCTIONS_OF_ONE(F) \
  F(abs, Abs) F(sqrt, Sqrt) F(cbrt, Cbrt) F(exp, Exp) F(exp2, Exp2) F(expm1, Expm1) F(log, Log) F(log2, Log2)        \
  F(log10, Log10) F(log1p, Log1p) F(sin, Sin) F(cos, Cos) F(tan, Tan) F(asin, Asin) F(acos, Acos)                    \
  F(atan, Atan) F(sinh, Sinh) F(cosh, Cosh) F(tanh, Tanh) F(asinh, Asinh) F(acosh, Acosh) F(atanh, Atanh)            \
  F(erf, Erf) F(erfc, Erfc) F(tgamma, Tgamma) F(lgamma, Lgamma) F(floor, Floor) F(ceil, Ceil) F(round, Round)        \
  F(trunc, Trunc) F(rint, Rint) F(square, Square) F(cube, Cube) F(sign, Sign) F(real, Real) F(imag, Imag)            \
  F(conj, Conj) F(arg, Arg) F(norm, Norm) F(isnan, IsNan) F(isinf, IsInf) F(isfinite, IsFinite)
#define LACUNA_FUNCTIONS_OF_TWO(F) \
  F(min, Min) F(max, Max) F(pow, Pow) F(atan2, Atan2) F(hypot, Hypot) F(fmod, Fmod) F(remainder, Remainder)          \
  F(copysign, Copysign) F(fdim, Fdim) F(heaviside, Heaviside) F(mod, Mod) F(gt, Gt) F(lt, Lt) F(ge, Ge)              \
  F(le, Le) F(eq, Eq) F(ne, Ne)
// clang-format on

#define LACUNA_FUNCTION(name, id)                                                       \
  inline Expression name(const Expression& a) { return call(FunctionId::id, {a}); }     \
  template <Whole A>                                                                    \
  WholeExpression name(const A& a) {                                                    \
    return entrywise(a, [](const Expression& x) { return call(FunctionId::id, {x}); }); \
  }
LACUNA_FUNCTIONS_OF_ONE(LACUNA_FUNCTION)
#undef LACUNA_FUNCTION

#define LACUNA_FUNCTION(name, id)                                                                           \
  inline Expression name(const Expression& a, const Expression& b) { return call(FunctionId::id, {a, b}); } \
  template <typename A, typename B>                                                                         \
  requires OneWhole<A, B> WholeExpression name(const A& a, const B& b) {                                    \
    return entrywise(#name, a, b, [](const Expression& x, const Expression& y) {                            \
      return call(FunctionId::id, {x, y});                                                                  \
    });                                                                                                     \
  }
LACUNA_FUNCTIONS_OF_TWO(LACUNA_FUNCTION)
#undef LACUNA_FUNCTION
#undef LACUNA_FUNCTIONS_OF_ONE
#undef LACUNA_FUNCTIONS_OF_TWO

inline Expression fma(const Expression& a, const Expression& b, const Expression& c) {
  return call(FunctionId::Fma, {a, b, c});
}

}  // namespace lacuna
