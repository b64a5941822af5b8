#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace lacuna {

/// A value in its promoted type (Bool and short integers become Int32), as sums are made in.
template <typename T>
auto widen(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) < 4) return static_cast<std::int32_t>(value);
  else return value;
}

/// a + b, where integers wrap.
template <typename T>
T add_wrapping(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  } else {
    return a + b;
  }
}

/// a - b, where integers wrap.
template <typename T>
T subtract_wrapping(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
  } else {
    return a - b;
  }
}

}  // namespace lacuna
