#include "lacuna/support/functions.h"

#include <algorithm>
#include <array>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using enum AbsenceRule;
using enum TypeRule;
using F = FunctionId;

// clang-format off
constexpr FunctionInfo table[] = {
    {F::Min,       "min",       2, Promoted,       ZeroWhenAllAbsent, "the lesser: b < a ? b : a"},
    {F::Max,       "max",       2, Promoted,       ZeroWhenAllAbsent, "the greater: a < b ? b : a"},
    {F::Abs,       "abs",       1, ToReal,         ZeroWhenAllAbsent, "absolute value, or modulus of a complex number; the most negative integer wraps"},
    {F::Sqrt,      "sqrt",      1, FloatingAny,    ZeroWhenAllAbsent, "square root"},
    {F::Cbrt,      "cbrt",      1, Floating,       ZeroWhenAllAbsent, "cube root"},
    {F::Exp,       "exp",       1, FloatingAny,    NeverAbsent,       "e to the power x"},
    {F::Exp2,      "exp2",      1, Floating,       NeverAbsent,       "2 to the power x"},
    {F::Expm1,     "expm1",     1, Floating,       ZeroWhenAllAbsent, "e to the power x, less 1, accurate near 0"},
    {F::Log,       "log",       1, FloatingAny,    NeverAbsent,       "natural logarithm"},
    {F::Log2,      "log2",      1, Floating,       NeverAbsent,       "logarithm to base 2"},
    {F::Log10,     "log10",     1, Floating,       NeverAbsent,       "logarithm to base 10"},
    {F::Log1p,     "log1p",     1, Floating,       ZeroWhenAllAbsent, "natural logarithm of 1 + x, accurate near 0"},
    {F::Sin,       "sin",       1, FloatingAny,    ZeroWhenAllAbsent, "sine of x in radians"},
    {F::Cos,       "cos",       1, FloatingAny,    NeverAbsent,       "cosine of x in radians"},
    {F::Tan,       "tan",       1, FloatingAny,    ZeroWhenAllAbsent, "tangent of x in radians"},
    {F::Asin,      "asin",      1, FloatingAny,    ZeroWhenAllAbsent, "inverse sine, in radians"},
    {F::Acos,      "acos",      1, FloatingAny,    NeverAbsent,       "inverse cosine, in radians"},
    {F::Atan,      "atan",      1, FloatingAny,    ZeroWhenAllAbsent, "inverse tangent, in radians"},
    {F::Sinh,      "sinh",      1, FloatingAny,    ZeroWhenAllAbsent, "hyperbolic sine"},
    {F::Cosh,      "cosh",      1, FloatingAny,    NeverAbsent,       "hyperbolic cosine"},
    {F::Tanh,      "tanh",      1, FloatingAny,    ZeroWhenAllAbsent, "hyperbolic tangent"},
    {F::Asinh,     "asinh",     1, FloatingAny,    ZeroWhenAllAbsent, "inverse hyperbolic sine"},
    {F::Acosh,     "acosh",     1, FloatingAny,    NeverAbsent,       "inverse hyperbolic cosine"},
    {F::Atanh,     "atanh",     1, FloatingAny,    ZeroWhenAllAbsent, "inverse hyperbolic tangent"},
    {F::Erf,       "erf",       1, Floating,       ZeroWhenAllAbsent, "error function"},
    {F::Erfc,      "erfc",      1, Floating,       NeverAbsent,       "complementary error function, 1 - erf(x)"},
    {F::Tgamma,    "tgamma",    1, Floating,       NeverAbsent,       "gamma function"},
    {F::Lgamma,    "lgamma",    1, Floating,       NeverAbsent,       "natural logarithm of the absolute value of the gamma function"},
    {F::Floor,     "floor",     1, Promoted,       ZeroWhenAllAbsent, "greatest integer not above x"},
    {F::Ceil,      "ceil",      1, Promoted,       ZeroWhenAllAbsent, "least integer not below x"},
    {F::Round,     "round",     1, Promoted,       ZeroWhenAllAbsent, "nearest integer, halves away from zero"},
    {F::Trunc,     "trunc",     1, Promoted,       ZeroWhenAllAbsent, "integer part, towards zero"},
    {F::Rint,      "rint",      1, Promoted,       ZeroWhenAllAbsent, "nearest integer, halves to even"},
    {F::Pow,       "pow",       2, FloatingAny,    FirstAnnihilates,  "x to the power y"},
    {F::Atan2,     "atan2",     2, Floating,       ZeroWhenAllAbsent, "angle of the point (x = second, y = first argument), in radians"},
    {F::Hypot,     "hypot",     2, Floating,       ZeroWhenAllAbsent, "square root of x*x + y*y, without overflow on the way"},
    {F::Fmod,      "fmod",      2, Floating,       FirstAnnihilates,  "remainder of x / y with the sign of x"},
    {F::Remainder, "remainder", 2, Floating,       FirstAnnihilates,  "x less y times the integer nearest to x / y"},
    {F::Copysign,  "copysign",  2, Floating,       FirstAnnihilates,  "the magnitude of x with the sign of y"},
    {F::Fdim,      "fdim",      2, Floating,       ZeroWhenAllAbsent, "x - y where that is positive, else 0"},
    {F::Fma,       "fma",       3, Floating,       ZeroWhenAllAbsent, "x * y + z, rounded once"},
    {F::Square,    "square",    1, PromotedAny,    ZeroWhenAllAbsent, "x * x"},
    {F::Cube,      "cube",      1, PromotedAny,    ZeroWhenAllAbsent, "x * x * x"},
    {F::Sign,      "sign",      1, Promoted,       ZeroWhenAllAbsent, "-1, 0 or 1 as x is negative, zero (or NaN) or positive"},
    {F::Heaviside, "heaviside", 2, Promoted,       NeverAbsent,       "0 below zero, the second argument at zero, 1 above"},
    {F::Mod,       "mod",       2, Promoted,       FirstAnnihilates,  "C's % for integers (0 when y is 0), fmod for floats"},
    {F::Gt,        "gt",        2, Predicate,      ZeroWhenAllAbsent, "x > y"},
    {F::Lt,        "lt",        2, Predicate,      ZeroWhenAllAbsent, "x < y"},
    {F::Ge,        "ge",        2, Predicate,      NeverAbsent,       "x >= y"},
    {F::Le,        "le",        2, Predicate,      NeverAbsent,       "x <= y"},
    {F::Eq,        "eq",        2, PredicateAny,   NeverAbsent,       "x == y"},
    {F::Ne,        "ne",        2, PredicateAny,   ZeroWhenAllAbsent, "x != y"},
    {F::Not,       "not",       1, PredicateAny,   NeverAbsent,       "x == 0"},
    {F::And,       "and",       2, PredicateAny,   AnyAnnihilates,    "x != 0 and y != 0"},
    {F::Or,        "or",        2, PredicateAny,   ZeroWhenAllAbsent, "x != 0 or y != 0"},
    {F::Real,      "real",      1, ToReal,         ZeroWhenAllAbsent, "real part"},
    {F::Imag,      "imag",      1, ToReal,         ZeroWhenAllAbsent, "imaginary part; 0 for a real number"},
    {F::Conj,      "conj",      1, PromotedAny,    ZeroWhenAllAbsent, "complex conjugate; a real number is its own"},
    {F::Arg,       "arg",       1, FloatingToReal, ZeroWhenAllAbsent, "angle of a complex number, in radians"},
    {F::Norm,      "norm",      1, ToReal,         ZeroWhenAllAbsent, "squared modulus, real(x)*real(x) + imag(x)*imag(x)"},
    {F::IsNan,     "isnan",     1, PredicateAny,   ZeroWhenAllAbsent, "x, or a part of it, is not a number"},
    {F::IsInf,     "isinf",     1, PredicateAny,   ZeroWhenAllAbsent, "x, or a part of it, is infinite"},
    {F::IsFinite,  "isfinite",  1, PredicateAny,   NeverAbsent,       "x, in all its parts, is neither infinite nor NaN"},
};
// clang-format on

bool takes_complex(TypeRule rule) {
  return rule == PromotedAny || rule == FloatingAny || rule == PredicateAny || rule == ToReal || rule == FloatingToReal;
}

bool makes_floating(TypeRule rule) { return rule == Floating || rule == FloatingAny || rule == FloatingToReal; }

static_assert(std::all_of(std::begin(table), std::end(table), [](const auto& f) { return f.arity <= max_arity; }));

}  // namespace

std::span<const FunctionInfo> function_table() { return table; }

const FunctionInfo& info(FunctionId id) {
  const auto index = static_cast<std::size_t>(id);
  internal_check(index < std::size(table), "a FunctionId outside its enumeration: {}", index);
  return table[index];
}

std::optional<FunctionId> find_function(std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table), [&](const auto& f) { return f.name == name; });
  if (found == std::end(table)) return std::nullopt;
  return found->id;
}

void check_arity(FunctionId id, std::size_t given) {
  const FunctionInfo& function = info(id);
  if (given == static_cast<std::size_t>(function.arity)) return;
  user_error("{} takes {} argument{}, but {} {} given", function.name, function.arity, function.arity == 1 ? "" : "s",
             given, given == 1 ? "is" : "are");
}

Type argument_type(FunctionId id, std::span<const Type> arguments) {
  const FunctionInfo& function = info(id);
  check_arity(id, arguments.size());
  Type common = promote(arguments.front());
  for (Type argument : arguments.subspan(1)) common = promote(common, argument);
  if (is_complex(common) && !takes_complex(function.type_rule)) {
    user_error("{} is not defined for complex arguments ({}); apply real() or abs() to them first", function.name,
               type_name(common));
  }
  return makes_floating(function.type_rule) && is_integer(common) ? Type::Float64 : common;
}

Type result_type(FunctionId id, std::span<const Type> arguments) {
  const Type common = argument_type(id, arguments);
  switch (info(id).type_rule) {
    case Predicate:
    case PredicateAny: return Type::Bool;
    case ToReal:
    case FloatingToReal: return real_part_type(common);
    default: return common;
  }
}

}  // namespace lacuna
