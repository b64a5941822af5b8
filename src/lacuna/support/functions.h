#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "lacuna/support/scalar.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// The named scalar functions of index notation, listed once (functions.cpp holds the table).
// clang-format off
enum class FunctionId : std::uint8_t {
  Min, Max, Abs, Sqrt, Cbrt, Exp, Exp2, Expm1, Log, Log2, Log10, Log1p,
  Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Asinh, Acosh, Atanh,
  Erf, Erfc, Tgamma, Lgamma, Floor, Ceil, Round, Trunc, Rint,
  Pow, Atan2, Hypot, Fmod, Remainder, Copysign, Fdim, Fma,
  Square, Cube, Sign, Heaviside, Mod,
  Gt, Lt, Ge, Le, Eq, Ne, Not, And, Or,
  Real, Imag, Conj, Arg, Norm,
  IsNan, IsInf, IsFinite,
};
// clang-format on

/// What a function does when some of its arguments are absent entries (semantics.md, "Absence").
enum class AbsenceRule : std::uint8_t {
  /// Absent when every argument is; a missing argument among present ones counts as zero. (f(0,…,0) is 0: min, abs,
  /// sin.)
  ZeroWhenAllAbsent,
  /// Absent as soon as the first argument is (pow with a positive literal exponent is treated so, too).
  FirstAnnihilates,
  /// Absent as soon as any argument is (And).
  AnyAnnihilates,
  /// Never absent: absent arguments count as zero. (exp, cos, eq.)
  NeverAbsent,
};

/// Which argument types a function takes and what it returns.
enum class TypeRule : std::uint8_t {
  Promoted,        // usual arithmetic conversions of all arguments; real only
  PromotedAny,     // the same, complex allowed
  Floating,        // integers become Float64; real only
  FloatingAny,     // the same, complex allowed
  Predicate,       // real arguments converted together, result Bool
  PredicateAny,    // the same, complex allowed
  ToReal,          // abs, real, imag, norm: promoted, complex gives its component type
  FloatingToReal,  // arg: the same, but integers become Float64
};

/// No function takes more arguments than this.
inline constexpr int max_arity = 3;

struct FunctionInfo {
  FunctionId id;
  std::string_view name;  // as written in index notation, lower case
  int arity;
  TypeRule type_rule;
  AbsenceRule absence;
  std::string_view meaning;  // one line, for `lacuna help functions`
};

/// The whole table, in the order of FunctionId.
std::span<const FunctionInfo> function_table();
const FunctionInfo& info(FunctionId id);
std::optional<FunctionId> find_function(std::string_view name);

/// Throws Error unless `given` is the number of arguments that the function takes.
void check_arity(FunctionId id, std::size_t given);
/// The type of a call. Throws Error when the function does not take such arguments (complex ones, or another number).
Type result_type(FunctionId id, std::span<const Type> arguments);
/// The type to which every argument is converted before the call.
Type argument_type(FunctionId id, std::span<const Type> arguments);
/// Evaluates a call by its definition (semantics.md): what the reference evaluator and the interpreter use.
/// Write `lacuna::apply` when the arguments are a std::vector or std::array: unqualified, the compiler finds
/// std::apply.
Scalar apply(FunctionId id, std::span<const Scalar> arguments);

}  // namespace lacuna
