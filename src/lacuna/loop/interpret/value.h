#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "lacuna/support/scalar.h"
#include "lacuna/support/type.h"

namespace lacuna::loop::interpreter {

/// What an expression evaluates to, without its type, in two registers: integers sign- or zero-extended in `i`, floats
/// (rounded to their type) in `d`, complex numbers in `d` and `im`.
struct Value {
  union {
    std::int64_t i = 0;
    double d;
  };
  double im = 0;
};

template <typename T>
inline constexpr bool is_complex_value = false;
template <typename T>
inline constexpr bool is_complex_value<std::complex<T>> = true;

template <typename T>
T get(const Value& value) {
  if constexpr (is_complex_value<T>) {
    using Part = typename T::value_type;
    return T(static_cast<Part>(value.d), static_cast<Part>(value.im));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.d);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value.i != 0;
  } else {
    return static_cast<T>(value.i);
  }
}

template <typename T>
Value put(T v) {
  Value value;
  if constexpr (is_complex_value<T>) {
    value.d = v.real();
    value.im = v.imag();
  } else if constexpr (std::is_floating_point_v<T>) {
    value.d = v;
  } else {
    value.i = static_cast<std::int64_t>(v);
  }
  return value;
}

inline Scalar to_scalar(const Value& value, Type type) {
  return visit_type(type, [&](auto tag) { return Scalar(get<decltype(tag)>(value)); });
}

inline Value from_scalar(const Scalar& scalar) {
  return visit_type(scalar.type(), [&](auto tag) { return put(scalar.as<decltype(tag)>()); });
}

}  // namespace lacuna::loop::interpreter
