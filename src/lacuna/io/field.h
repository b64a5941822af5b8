#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "lacuna/io/numbers.h"
#include "lacuna/support/check.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// How the values of a file are written; the element type they become may be another (a hint in the file).
enum class Field : std::uint8_t { Real, Integer, Complex, Pattern };

/// The element type of a field where the file asks for no other: float64, int64, complex128, float64.
inline Type natural_type(Field field) {
  switch (field) {
    case Field::Real:
    case Field::Pattern: return Type::Float64;
    case Field::Integer: return Type::Int64;
    case Field::Complex: return Type::Complex128;
  }
  throw InternalError("internal error: a Field outside its enumeration");
}

template <typename T>
inline constexpr bool is_complex_value = false;
template <typename T>
inline constexpr bool is_complex_value<std::complex<T>> = true;

/// Reads a plainly written value in an inner loop, as scan_number does; false where read_value must look.
template <Field field, typename T>
bool scan_value(const char*& p, const char* end, T& value) {
  if constexpr (field == Field::Real && std::is_floating_point_v<T>) {
    return scan_number(p, end, value);
  } else if constexpr (field == Field::Integer && std::is_integral_v<T>) {
    return scan_number(p, end, value);
  } else if constexpr (field == Field::Real && std::is_integral_v<T>) {
    return scan_number(p, end, value);  // what has a point or an exponent is left to read_value
  } else if constexpr (field == Field::Real && is_complex_value<T>) {
    typename T::value_type re = 0;
    if (!scan_number(p, end, re)) return false;
    value = T(re, 0);
    return true;
  } else if constexpr (field == Field::Integer && std::is_floating_point_v<T>) {
    std::int64_t integer = 0;
    if (!scan_number(p, end, integer)) return false;
    value = static_cast<T>(integer);
    return true;
  } else if constexpr (field == Field::Complex && is_complex_value<T>) {
    typename T::value_type re = 0;
    typename T::value_type im = 0;
    if (!scan_number(p, end, re) || !is_blank(*p)) return false;
    while (is_blank(*p)) ++p;
    if (!scan_number(p, end, im)) return false;
    value = T(re, im);
    return true;
  } else {
    return false;
  }
}

namespace detail {

/// The integer that a real number is, if it is one of type T.
template <typename T>
NumberFault exact_integer(double real, T& value) {
  if (!(std::trunc(real) == real)) return NumberFault::NotAnInteger;
  if constexpr (std::is_same_v<T, bool>) {
    value = real == 1;
    return real == 0 || real == 1 ? NumberFault::None : NumberFault::TooLarge;
  } else {
    const double past_max = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (real >= past_max || real < (std::is_signed_v<T> ? -past_max : 0.0)) return NumberFault::TooLarge;
    value = static_cast<T>(real);
    return NumberFault::None;
  }
}

template <Field field, typename T>
NumberFault read_word(std::string_view word, T& value) {
  if constexpr (field == Field::Integer && !std::is_integral_v<T>) {
    std::int64_t integer = 0;
    // What is no int64 is read as a real number: digits are rounded, and 'inf' is one.
    if (read_integer(word, integer) != NumberFault::None) return read_real(word, value);
    value = static_cast<T>(integer);
    return NumberFault::None;
  } else if constexpr (std::is_integral_v<T>) {
    const NumberFault fault = read_integer(word, value);
    if (fault != NumberFault::NotAnInteger) return fault;
    double real = 0;
    const NumberFault real_fault = read_real(word, real);
    return real_fault == NumberFault::None ? exact_integer(real, value) : real_fault;
  } else {
    return read_real(word, value);
  }
}

}  // namespace detail

/// Reads the next value of a line, one word or two; fails with the place and the reason. `fix`: what to do about a
/// value that the type cannot hold, or nothing.
template <Field field, typename T>
T read_value(const Text& text, TextCursor& line, const std::string& fix = {}) {
  const auto read_part = [&](auto& part, const char* which) {
    const TextRange word = line.next_word();
    if (word.begin == word.end) fail_at(text, word, fmt::format("{} is missing", which));
    const NumberFault fault = detail::read_word<field>(line.view(word), part);
    if (fault == NumberFault::None) return;
    using Part = std::remove_reference_t<decltype(part)>;
    const bool is_number = fault != NumberFault::NotANumber && !fix.empty();
    fail_at(
        text, word,
        fmt::format("{} {} {}{}{}", which, quoted(line.view(word)), describe_fault(fault, type_name(type_of<Part>())),
                    is_number ? "; " : "", is_number ? fix : ""));
  };
  if constexpr (is_complex_value<T>) {
    typename T::value_type re = 0;
    typename T::value_type im = 0;
    read_part(re, field == Field::Complex ? "the real part" : "the value");
    if constexpr (field == Field::Complex) read_part(im, "the imaginary part");
    return T(re, im);
  } else {
    T value{};
    read_part(value, "the value");
    return value;
  }
}

/// Calls f.template operator()<field, T>() for the C++ type that `type` stands for; for Pattern T is always double.
/// A complex field goes with complex types only.
template <typename F>
auto visit_field(Field field, Type type, F&& f) {
  if (field == Field::Pattern) return f.template operator()<Field::Pattern, double>();
  return visit_type(type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (is_complex_value<T>) {
      if (field == Field::Complex) return f.template operator()<Field::Complex, T>();
    }
    internal_check(field != Field::Complex, "a complex file read as {}", type_name(type));
    if (field == Field::Integer) return f.template operator()<Field::Integer, T>();
    return f.template operator()<Field::Real, T>();
  });
}

}  // namespace lacuna
