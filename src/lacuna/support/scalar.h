#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include "lacuna/support/type.h"

namespace lacuna {

/// One value of any element type: what literals, fill values and the interpreter hold. 24 bytes, no allocation.
/// Integers are kept sign- or zero-extended in `bits`; real floats in `re`; Float32 values are always rounded to float.
class Scalar {
 public:
  Scalar() = default;  // the Int32 zero
  template <typename T>
  requires std::is_arithmetic_v<T> Scalar(T value)
      : Scalar(make(type_of<T>(), value)) {}  // NOLINT(google-explicit-constructor)
  Scalar(std::complex<float> value) : type_(Type::Complex64), re_(value.real()), im_(value.imag()) {}
  Scalar(std::complex<double> value) : type_(Type::Complex128), re_(value.real()), im_(value.imag()) {}

  Type type() const { return type_; }
  /// The value converted as `convert` does, as a C++ value.
  template <typename T>
  T as() const;
  /// Conversion as docs/explanation/semantics.md fixes it: C++'s, except that float to integer truncates and saturates
  /// (NaN gives 0), complex to real takes the real part, and anything to Bool is `!= 0`.
  Scalar convert(Type to) const;
  /// The zero of a type.
  static Scalar zero(Type type) { return Scalar(0).convert(type); }
  bool is_zero() const;  // -0.0 is zero, NaN is not
  /// Same type and same value; NaN equals NaN, and -0.0 equals 0.0.
  bool operator==(const Scalar& other) const;
  /// Shortest text that reads back to the same value: "1", "0.5", "nan", "-inf", "complex(1,2)", "true".
  std::string to_string() const;

  static Scalar load(Type type, const void* address);  // reads size_of(type) bytes
  void store(void* address) const;                     // writes size_of(type()) bytes

 private:
  template <typename T>
  static Scalar make(Type type, T value) {
    Scalar s;
    s.type_ = type;
    if constexpr (std::is_floating_point_v<T>) s.re_ = value;
    else s.bits_ = static_cast<std::int64_t>(value);
    return s;
  }
  Type type_ = Type::Int32;
  union {
    std::int64_t bits_ = 0;
    double re_;
  };
  double im_ = 0;
};

// Arithmetic after the usual arithmetic conversions; integers wrap; integer division by zero gives 0 and the most
// negative integer divided by -1 wraps. Bool operands promote to Int32 first.
Scalar operator+(const Scalar& a, const Scalar& b);
Scalar operator-(const Scalar& a, const Scalar& b);
Scalar operator*(const Scalar& a, const Scalar& b);
Scalar operator/(const Scalar& a, const Scalar& b);
Scalar operator-(const Scalar& a);  // type promote(a.type())

}  // namespace lacuna
