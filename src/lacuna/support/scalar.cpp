#include "lacuna/support/scalar.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace lacuna {
namespace {

template <typename T>
inline constexpr bool is_std_complex = false;
template <typename T>
inline constexpr bool is_std_complex<std::complex<T>> = true;

/// Truncates and saturates, because the C++ conversion of a value out of range is undefined.
template <typename To, typename From>
To saturate(From value) {
  if (std::isnan(value)) return 0;
  // The least integer past To's range is a power of two and so exact in From, whereas To's maximum may not be.
  const From past_max = std::ldexp(From{1}, std::numeric_limits<To>::digits);
  if (value >= past_max) return std::numeric_limits<To>::max();
  const From truncated = std::trunc(value);
  if (truncated <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  return static_cast<To>(truncated);
}

template <typename To, typename From>
To convert_value(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (is_std_complex<To>) {
    using Part = typename To::value_type;
    if constexpr (is_std_complex<From>) return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    else return To(static_cast<Part>(value), Part{0});
  } else if constexpr (is_std_complex<From>) {
    return convert_value<To>(value.real());
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    return saturate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <typename T>
bool same_value(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (std::isnan(a) && std::isnan(b));
  else if constexpr (is_std_complex<T>) return same_value(a.real(), b.real()) && same_value(a.imag(), b.imag());
  else return a == b;
}

template <typename T>
std::string text_of(T value) {
  if constexpr (is_std_complex<T>) {
    return fmt::format("complex({},{})", text_of(value.real()), text_of(value.imag()));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value) ? "nan" : fmt::format("{}", value);  // fmt would print the sign of a NaN
  } else {
    return fmt::format("{}", value);
  }
}

// Every operation below gets operands that the usual arithmetic conversions have made the same type.

struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    else return a + b;
  }
};

struct Subtract {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(std::make_unsigned_t<T>(a) - std::make_unsigned_t<T>(b));
    else return a - b;
  }
};

struct Multiply {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(std::make_unsigned_t<T>(a) * std::make_unsigned_t<T>(b));
    } else if constexpr (is_std_complex<T>) {
      // Written out as in the generated C, which leaves out the repair of infinities that std::complex makes.
      return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    } else {
      return a * b;
    }
  }
};

struct Divide {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return Subtract{}(T{0}, a);
      }
    }
    return a / b;
  }
};

template <typename Operation>
Scalar arithmetic(const Scalar& a, const Scalar& b, Operation operation) {
  return visit_type(promote(a.type(), b.type()), [&](auto tag) -> Scalar {
    using T = decltype(tag);
    // Neither remains after promotion, and for them the operations would be computed in int.
    if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int)) throw InternalError("internal error: not promoted");
    else return operation(a.as<T>(), b.as<T>());
  });
}

}  // namespace

template <typename T>
T Scalar::as() const {
  return visit_type(type_, [&](auto tag) -> T {
    using From = decltype(tag);
    if constexpr (is_std_complex<From>) {
      using Part = typename From::value_type;
      return convert_value<T>(From(static_cast<Part>(re_), static_cast<Part>(im_)));
    } else if constexpr (std::is_floating_point_v<From>) {
      return convert_value<T>(static_cast<From>(re_));
    } else {
      return convert_value<T>(static_cast<From>(bits_));
    }
  });
}

template bool Scalar::as<bool>() const;
template std::int8_t Scalar::as<std::int8_t>() const;
template std::int16_t Scalar::as<std::int16_t>() const;
template std::int32_t Scalar::as<std::int32_t>() const;
template std::int64_t Scalar::as<std::int64_t>() const;
template std::uint8_t Scalar::as<std::uint8_t>() const;
template std::uint16_t Scalar::as<std::uint16_t>() const;
template std::uint32_t Scalar::as<std::uint32_t>() const;
template std::uint64_t Scalar::as<std::uint64_t>() const;
template float Scalar::as<float>() const;
template double Scalar::as<double>() const;
template std::complex<float> Scalar::as<std::complex<float>>() const;
template std::complex<double> Scalar::as<std::complex<double>>() const;

Scalar Scalar::convert(Type to) const {
  return visit_type(to, [&](auto tag) { return Scalar(as<decltype(tag)>()); });
}

bool Scalar::is_zero() const { return !as<bool>(); }

bool Scalar::operator==(const Scalar& other) const {
  if (type_ != other.type_) return false;
  return visit_type(type_, [&](auto tag) {
    using T = decltype(tag);
    return same_value(as<T>(), other.as<T>());
  });
}

std::string Scalar::to_string() const {
  return visit_type(type_, [&](auto tag) { return text_of(as<decltype(tag)>()); });
}

Scalar Scalar::load(Type type, const void* address) {
  return visit_type(type, [&](auto value) {
    if constexpr (std::is_same_v<decltype(value), bool>) {
      // A byte of foreign memory need not hold a valid bool.
      unsigned char byte = 0;
      std::memcpy(&byte, address, 1);
      return Scalar(byte != 0);
    } else {
      std::memcpy(&value, address, sizeof(value));
      return Scalar(value);
    }
  });
}

void Scalar::store(void* address) const {
  visit_type(type_, [&](auto tag) {
    const auto value = as<decltype(tag)>();
    std::memcpy(address, &value, sizeof(value));
  });
}

Scalar operator+(const Scalar& a, const Scalar& b) { return arithmetic(a, b, Add{}); }
Scalar operator-(const Scalar& a, const Scalar& b) { return arithmetic(a, b, Subtract{}); }
Scalar operator*(const Scalar& a, const Scalar& b) { return arithmetic(a, b, Multiply{}); }
Scalar operator/(const Scalar& a, const Scalar& b) { return arithmetic(a, b, Divide{}); }

Scalar operator-(const Scalar& a) {
  return visit_type(promote(a.type()), [&](auto tag) -> Scalar {
    using T = decltype(tag);
    if constexpr (std::is_integral_v<T>) return Scalar::zero(promote(a.type())) - a;
    else return -a.as<T>();  // not 0 - a, which loses the sign of a zero
  });
}

}  // namespace lacuna
