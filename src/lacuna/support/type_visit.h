#pragma once
// Definitions of the templates of type.h. Include that header, not this one.

#include <complex>
#include <type_traits>
#include <utility>

#include "lacuna/support/error.h"
#include "lacuna/support/type.h"

namespace lacuna {

template <typename F>
decltype(auto) visit_type(Type type, F&& f) {
  switch (type) {
    case Type::Bool: return std::forward<F>(f)(bool{});
    case Type::Int8: return std::forward<F>(f)(std::int8_t{});
    case Type::Int16: return std::forward<F>(f)(std::int16_t{});
    case Type::Int32: return std::forward<F>(f)(std::int32_t{});
    case Type::Int64: return std::forward<F>(f)(std::int64_t{});
    case Type::UInt8: return std::forward<F>(f)(std::uint8_t{});
    case Type::UInt16: return std::forward<F>(f)(std::uint16_t{});
    case Type::UInt32: return std::forward<F>(f)(std::uint32_t{});
    case Type::UInt64: return std::forward<F>(f)(std::uint64_t{});
    case Type::Float32: return std::forward<F>(f)(float{});
    case Type::Float64: return std::forward<F>(f)(double{});
    case Type::Complex64: return std::forward<F>(f)(std::complex<float>{});
    case Type::Complex128: return std::forward<F>(f)(std::complex<double>{});
  }
  throw InternalError("internal error: a Type outside its enumeration");
}

template <typename T>
constexpr Type type_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, bool>) return Type::Bool;
  else if constexpr (std::is_same_v<U, float>) return Type::Float32;
  else if constexpr (std::is_same_v<U, double>) return Type::Float64;
  else if constexpr (std::is_same_v<U, std::complex<float>>) return Type::Complex64;
  else if constexpr (std::is_same_v<U, std::complex<double>>) return Type::Complex128;
  else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>) {
    return sizeof(U) == 1 ? Type::Int8 : sizeof(U) == 2 ? Type::Int16 : sizeof(U) == 4 ? Type::Int32 : Type::Int64;
  } else {
    static_assert(std::is_integral_v<U>, "not an element type of Lacuna");
    return sizeof(U) == 1 ? Type::UInt8 : sizeof(U) == 2 ? Type::UInt16 : sizeof(U) == 4 ? Type::UInt32 : Type::UInt64;
  }
}

}  // namespace lacuna
