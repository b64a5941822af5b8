#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <fast_float/fast_float.h>

#include "lacuna/io/digits.h"
#include "lacuna/io/text.h"

namespace lacuna {

// Two ways to read a number. scan_… are for the inner loops of readers: they take plain numbers only, need a newline
// somewhere before the memory ends, and return false for anything else. read_number takes every legal number, from a
// whole word, and says what is wrong with the others. What scan_… accepts, read_number reads as the same value.

enum class NumberFault : std::uint8_t { None, NotANumber, NotAnInteger, TooLarge };

/// Unsigned decimal of 1 to 18 digits (so that it cannot overflow); moves `p` past it.
inline bool scan_digits(const char*& p, std::uint64_t& value) {
  const char* begin = p;
  std::uint64_t v = 0;
  while (is_digit(*p)) v = v * 10 + static_cast<std::uint64_t>(*p++ - '0');
  value = v;
  const auto digits = p - begin;
  return digits >= 1 && digits <= 18;
}

template <typename T>
bool scan_number(const char*& p, const char* end, T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto result = fast_float::from_chars(p, end, value);
    p = result.ptr;
    return result.ec == std::errc() && std::isfinite(value);  // fast_float gives infinity for what is too large
  } else {
    static_assert(std::is_integral_v<T>);
    const bool negative = *p == '-';
    if (negative) ++p;
    std::uint64_t magnitude = 0;
    if (!scan_digits(p, magnitude)) return false;
    const auto v = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
    if constexpr (std::is_same_v<T, bool>) {
      value = v == 1;
      return v == 0 || v == 1;
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
      value = static_cast<std::uint64_t>(v);
      return v >= 0;
    } else {
      value = static_cast<T>(v);
      return v >= static_cast<std::int64_t>(std::numeric_limits<T>::min()) &&
             v <= static_cast<std::int64_t>(std::numeric_limits<T>::max());
    }
  }
}

/// Reads the whole word as an integer of type T (bool: 0 or 1), with an optional sign.
template <typename T>
NumberFault read_integer(std::string_view word, T& value);

/// Reads the whole word as float or double: also inf, nan, a leading +, and Fortran's D exponents.
template <typename T>
NumberFault read_real(std::string_view word, T& value);

/// What is wrong, in words that follow a quoted word: "is not a number", "does not fit int8".
std::string describe_fault(NumberFault fault, std::string_view type);

}  // namespace lacuna
