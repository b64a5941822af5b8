#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "lacuna/support/scalar.h"

namespace lacuna {

/// What a value would lose as another type. Digits that a floating type rounds are no loss, and every value may become
/// a bool, which says whether it is zero.
enum class Narrowing : std::uint8_t { None, Imaginary, NotAnInteger, OutOfRange };

namespace detail {

template <typename T>
inline constexpr bool is_complex_number = false;
template <typename T>
inline constexpr bool is_complex_number<std::complex<T>> = true;

template <typename To, typename From>
Narrowing narrowing_of_real(From value) {
  if constexpr (std::is_same_v<To, bool> || std::is_same_v<From, bool>) {
    return Narrowing::None;
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return std::in_range<To>(value) ? Narrowing::None : Narrowing::OutOfRange;
  } else if constexpr (std::is_integral_v<To>) {
    if (!(std::trunc(value) == value)) return Narrowing::NotAnInteger;
    const From past_max = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    const bool fits = value < past_max && value >= (std::is_signed_v<To> ? -past_max : From{0});
    return fits ? Narrowing::None : Narrowing::OutOfRange;
  } else {
    const bool becomes_infinite = std::isinf(static_cast<To>(value)) && std::isfinite(static_cast<double>(value));
    return becomes_infinite ? Narrowing::OutOfRange : Narrowing::None;
  }
}

}  // namespace detail

/// What a value loses as a `To`.
template <typename To, typename From>
Narrowing narrowing_of(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return Narrowing::None;
  } else if constexpr (detail::is_complex_number<To>) {
    using Part = typename To::value_type;
    if constexpr (!detail::is_complex_number<From>) {
      return detail::narrowing_of_real<Part>(value);
    } else {
      const Narrowing real = detail::narrowing_of_real<Part>(value.real());
      return real == Narrowing::None ? detail::narrowing_of_real<Part>(value.imag()) : real;
    }
  } else if constexpr (detail::is_complex_number<From>) {
    return value.imag() == 0 ? detail::narrowing_of_real<To>(value.real()) : Narrowing::Imaginary;
  } else {
    return detail::narrowing_of_real<To>(value);
  }
}
Narrowing narrowing_of(const Scalar& value, Type to);

/// What is lost, in words that follow a value: "does not fit int8".
std::string describe_narrowing(Narrowing narrowing, Type to);

}  // namespace lacuna
