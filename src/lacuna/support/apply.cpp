#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <type_traits>

#include <fmt/core.h>

#include "lacuna/support/error.h"
#include "lacuna/support/functions.h"

// Every argument has been converted to one type T before these functions run. Those for floats call the overload of T
// itself (sqrtf for float), so that a kernel in C, which calls the same function, gives the same bits.
namespace lacuna {
namespace {

using F = FunctionId;

template <typename T>
using Arguments = std::array<T, max_arity>;

[[noreturn]] void no_such_case(FunctionId id) {
  throw InternalError(fmt::format("internal error: {} cannot be applied to this type", info(id).name));
}

template <typename T>
T floating_unary(FunctionId id, T x) {
  switch (id) {
    case F::Sqrt: return std::sqrt(x);
    case F::Cbrt: return std::cbrt(x);
    case F::Exp: return std::exp(x);
    case F::Exp2: return std::exp2(x);
    case F::Expm1: return std::expm1(x);
    case F::Log: return std::log(x);
    case F::Log2: return std::log2(x);
    case F::Log10: return std::log10(x);
    case F::Log1p: return std::log1p(x);
    case F::Sin: return std::sin(x);
    case F::Cos: return std::cos(x);
    case F::Tan: return std::tan(x);
    case F::Asin: return std::asin(x);
    case F::Acos: return std::acos(x);
    case F::Atan: return std::atan(x);
    case F::Sinh: return std::sinh(x);
    case F::Cosh: return std::cosh(x);
    case F::Tanh: return std::tanh(x);
    case F::Asinh: return std::asinh(x);
    case F::Acosh: return std::acosh(x);
    case F::Atanh: return std::atanh(x);
    case F::Erf: return std::erf(x);
    case F::Erfc: return std::erfc(x);
    case F::Tgamma: return std::tgamma(x);
    case F::Lgamma: return std::lgamma(x);
    case F::Floor: return std::floor(x);
    case F::Ceil: return std::ceil(x);
    case F::Round: return std::round(x);
    case F::Trunc: return std::trunc(x);
    case F::Rint: return std::rint(x);
    default: no_such_case(id);
  }
}

template <typename T>
T complex_unary(FunctionId id, T x) {
  switch (id) {
    case F::Sqrt: return std::sqrt(x);
    case F::Exp: return std::exp(x);
    case F::Log: return std::log(x);
    case F::Sin: return std::sin(x);
    case F::Cos: return std::cos(x);
    case F::Tan: return std::tan(x);
    case F::Asin: return std::asin(x);
    case F::Acos: return std::acos(x);
    case F::Atan: return std::atan(x);
    case F::Sinh: return std::sinh(x);
    case F::Cosh: return std::cosh(x);
    case F::Tanh: return std::tanh(x);
    case F::Asinh: return std::asinh(x);
    case F::Acosh: return std::acosh(x);
    case F::Atanh: return std::atanh(x);
    default: no_such_case(id);
  }
}

template <typename T>
T floating_binary(FunctionId id, T x, T y) {
  switch (id) {
    case F::Pow: return std::pow(x, y);
    case F::Atan2: return std::atan2(x, y);
    case F::Hypot: return std::hypot(x, y);
    case F::Fmod:
    case F::Mod: return std::fmod(x, y);
    case F::Remainder: return std::remainder(x, y);
    case F::Copysign: return std::copysign(x, y);
    case F::Fdim: return std::fdim(x, y);
    default: no_such_case(id);
  }
}

template <typename T>
T integer_mod(T x, T y) {
  if (y == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (y == -1) return 0;  // the most negative integer % -1 is undefined in C++
  }
  return x % y;
}

/// What means the same for integers and floats.
template <typename T>
Scalar real_function(FunctionId id, const Arguments<T>& x) {
  switch (id) {
    case F::Min: return x[1] < x[0] ? x[1] : x[0];
    case F::Max: return x[0] < x[1] ? x[1] : x[0];
    case F::Sign: return static_cast<T>((x[0] > T{0}) - (x[0] < T{0}));
    case F::Heaviside: return x[0] < T{0} ? T{0} : (x[0] == T{0} ? x[1] : T{1});
    case F::Gt: return x[0] > x[1];
    case F::Lt: return x[0] < x[1];
    case F::Ge: return x[0] >= x[1];
    case F::Le: return x[0] <= x[1];
    case F::Real:
    case F::Conj: return x[0];
    case F::Imag: return T{0};
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (id) {
      case F::Abs: return x[0] < T{0} ? -Scalar(x[0]) : Scalar(x[0]);
      case F::Floor:
      case F::Ceil:
      case F::Round:
      case F::Trunc:
      case F::Rint: return x[0];
      case F::Mod: return integer_mod(x[0], x[1]);
      case F::Norm: return Scalar(x[0]) * Scalar(x[0]);
      case F::IsNan:
      case F::IsInf: return false;
      case F::IsFinite: return true;
      default: no_such_case(id);
    }
  } else {
    switch (id) {
      case F::Abs: return std::fabs(x[0]);
      case F::Fma: return std::fma(x[0], x[1], x[2]);
      case F::Arg: return std::atan2(T{0}, x[0]);
      case F::Norm: return x[0] * x[0];
      case F::IsNan: return std::isnan(x[0]);
      case F::IsInf: return std::isinf(x[0]);
      case F::IsFinite: return std::isfinite(x[0]);
      default: return info(id).arity == 1 ? floating_unary(id, x[0]) : floating_binary(id, x[0], x[1]);
    }
  }
}

template <typename T>
Scalar complex_function(FunctionId id, const Arguments<T>& x) {
  const auto re = x[0].real();
  const auto im = x[0].imag();
  switch (id) {
    case F::Pow: return std::pow(x[0], x[1]);
    case F::Abs: return std::hypot(re, im);
    case F::Real: return re;
    case F::Imag: return im;
    case F::Conj: return T(re, -im);
    case F::Arg: return std::atan2(im, re);
    case F::Norm: return re * re + im * im;
    case F::IsNan: return std::isnan(re) || std::isnan(im);
    case F::IsInf: return std::isinf(re) || std::isinf(im);
    case F::IsFinite: return std::isfinite(re) && std::isfinite(im);
    default: return complex_unary(id, x[0]);
  }
}

/// What means the same for every type.
template <typename T>
Scalar any_function(FunctionId id, const Arguments<T>& x) {
  switch (id) {
    case F::Square: return Scalar(x[0]) * Scalar(x[0]);
    case F::Cube: return Scalar(x[0]) * Scalar(x[0]) * Scalar(x[0]);
    case F::Eq: return x[0] == x[1];
    case F::Ne: return x[0] != x[1];
    case F::Not: return x[0] == T{};
    case F::And: return x[0] != T{} && x[1] != T{};
    case F::Or: return x[0] != T{} || x[1] != T{};
    default: break;
  }
  if constexpr (std::is_arithmetic_v<T>) return real_function(id, x);
  else return complex_function(id, x);
}

}  // namespace

Scalar apply(FunctionId id, std::span<const Scalar> arguments) {
  check_arity(id, arguments.size());
  Arguments<Type> types;
  std::transform(arguments.begin(), arguments.end(), types.begin(), [](const Scalar& each) { return each.type(); });
  return visit_type(argument_type(id, std::span(types).first(arguments.size())), [&](auto tag) -> Scalar {
    using T = decltype(tag);
    if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int)) {
      throw InternalError("internal error: a function's argument has not been promoted");
    } else {
      Arguments<T> values{};
      std::transform(arguments.begin(), arguments.end(), values.begin(), [](const Scalar& s) { return s.as<T>(); });
      return any_function(id, values);
    }
  });
}

}  // namespace lacuna
