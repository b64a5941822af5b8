#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

/// Integer arithmetic of one type: wrapping, as tensor values do it, and checked, as index arithmetic must.
namespace lacuna::loop::interpreter {

/// What arithmetic is done in before the result is cut to T: unsigned, so that it wraps, and wide enough that C++ does
/// not promote it to a signed type.
template <typename T>
using Wrapping = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <typename T>
T wrapping_add(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}
template <typename T>
T wrapping_sub(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}
template <typename T>
T wrapping_mul(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}
template <typename T>
T wrapping_div(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return wrapping_sub(T{0}, a);
  }
  return static_cast<T>(a / b);
}
template <typename T>
T wrapping_mod(T a, T b) {
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

// Each gives whether the true result is in T; the result is then the wrapping one.

template <typename T>
bool add_fits(T a, T b) {
  if constexpr (sizeof(T) < 8) {
    return std::int64_t{a} + std::int64_t{b} == std::int64_t{wrapping_add(a, b)};
  } else if constexpr (std::is_unsigned_v<T>) {
    return a + b >= a;
  } else {
    const T r = wrapping_add(a, b);
    return ((a ^ r) & (b ^ r)) >= 0;
  }
}

template <typename T>
bool sub_fits(T a, T b) {
  if constexpr (sizeof(T) < 8) {
    return std::int64_t{a} - std::int64_t{b} == std::int64_t{wrapping_sub(a, b)};
  } else if constexpr (std::is_unsigned_v<T>) {
    return a >= b;
  } else {
    const T r = wrapping_sub(a, b);
    return ((a ^ b) & (a ^ r)) >= 0;
  }
}

template <typename T>
bool mul_fits(T a, T b) {
  if constexpr (sizeof(T) < 4) {
    return std::int64_t{a} * std::int64_t{b} == std::int64_t{wrapping_mul(a, b)};
  } else {
    if (a == 0 || b == 0) return true;
    if constexpr (std::is_signed_v<T>) {
      if (a == -1) return b != std::numeric_limits<T>::min();
      if (b == -1) return a != std::numeric_limits<T>::min();
    }
    const std::uint64_t small = std::uint64_t{1} << 31;
    if (static_cast<std::uint64_t>(a) < small && static_cast<std::uint64_t>(b) < small && sizeof(T) == 8) return true;
    return wrapping_mul(a, b) / b == a;
  }
}

template <typename T>
bool div_fits(T a, T b) {
  if constexpr (std::is_signed_v<T>) return b != -1 || a != std::numeric_limits<T>::min();
  else return true;
}

}  // namespace lacuna::loop::interpreter
