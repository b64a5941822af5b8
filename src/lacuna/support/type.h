#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lacuna {

/// The element types of tensors, literals and loop variables. The numbers are part of the kernel ABI: never renumber.
enum class Type : std::uint8_t {
  Bool = 0,
  Int8 = 1,
  Int16 = 2,
  Int32 = 3,
  Int64 = 4,
  UInt8 = 5,
  UInt16 = 6,
  UInt32 = 7,
  UInt64 = 8,
  Float32 = 9,
  Float64 = 10,
  Complex64 = 11,   // two Float32
  Complex128 = 12,  // two Float64
};
inline constexpr int type_count = 13;

/// Size of one element in bytes.
int size_of(Type type);
bool is_signed_integer(Type type);
bool is_unsigned_integer(Type type);  // UInt8…UInt64, not Bool
bool is_integer(Type type);           // Bool included
bool is_float(Type type);             // Float32, Float64
bool is_complex(Type type);
/// "bool", "int8" … "uint64", "float32", "float64", "complex64", "complex128".
std::string_view type_name(Type type);
/// Reads `type_name` and the usual synonyms (float, double, int, long, complexfloat, complexdouble, …); none if
/// unknown.
std::optional<Type> parse_type(std::string_view name);

/// C++'s integral promotion: Bool and 8- and 16-bit integers become Int32; other types are unchanged.
Type promote(Type type);
/// C++'s usual arithmetic conversions. Complex with real: the complex of the converted component types, where an
/// integer beside a float component takes that component (complex64 * int32 is complex64, * float64 is complex128).
Type promote(Type a, Type b);
/// The component type of a complex type; any other type is returned unchanged.
Type real_part_type(Type type);
/// Complex64 for Float32, Complex128 for every other real type; complex types are unchanged.
Type complex_of(Type type);

/// Calls `f` with a value-initialised object of the C++ type that `type` stands for (std::complex for complex types).
template <typename F>
decltype(auto) visit_type(Type type, F&& f);

/// The Type of a C++ element type.
template <typename T>
constexpr Type type_of();

}  // namespace lacuna

#include "lacuna/support/type_visit.h"  // IWYU pragma: export
