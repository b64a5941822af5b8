#include "lacuna/support/type.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, type_count> names = {"bool",    "int8",      "int16",     "int32",  "int64",
                                                            "uint8",   "uint16",    "uint32",    "uint64", "float32",
                                                            "float64", "complex64", "complex128"};

constexpr std::pair<std::string_view, Type> synonyms[] = {
    {"char", Type::Int8},          {"short", Type::Int16},
    {"int", Type::Int32},          {"long", Type::Int64},
    {"uchar", Type::UInt8},        {"ushort", Type::UInt16},
    {"uint", Type::UInt32},        {"ulong", Type::UInt64},
    {"int8_t", Type::Int8},        {"int16_t", Type::Int16},
    {"int32_t", Type::Int32},      {"int64_t", Type::Int64},
    {"uint8_t", Type::UInt8},      {"uint16_t", Type::UInt16},
    {"uint32_t", Type::UInt32},    {"uint64_t", Type::UInt64},
    {"float", Type::Float32},      {"single", Type::Float32},
    {"double", Type::Float64},     {"complexfloat", Type::Complex64},
    {"complex", Type::Complex128}, {"complexdouble", Type::Complex128},
};

}  // namespace

int size_of(Type type) {
  return visit_type(type, [](auto value) { return static_cast<int>(sizeof(value)); });
}

bool is_signed_integer(Type type) { return type >= Type::Int8 && type <= Type::Int64; }
bool is_unsigned_integer(Type type) { return type >= Type::UInt8 && type <= Type::UInt64; }
bool is_integer(Type type) { return type <= Type::UInt64; }
bool is_float(Type type) { return type == Type::Float32 || type == Type::Float64; }
bool is_complex(Type type) { return type == Type::Complex64 || type == Type::Complex128; }

std::string_view type_name(Type type) {
  const auto index = static_cast<std::size_t>(type);
  internal_check(index < names.size(), "a Type outside its enumeration: {}", index);
  return names[index];
}

std::optional<Type> parse_type(std::string_view name) {
  const auto* found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Type>(found - names.begin());
  const auto* synonym =
      std::find_if(std::begin(synonyms), std::end(synonyms), [&](const auto& entry) { return entry.first == name; });
  if (synonym == std::end(synonyms)) return std::nullopt;
  return synonym->second;
}

Type promote(Type type) { return is_integer(type) && size_of(type) < 4 ? Type::Int32 : type; }

Type promote(Type a, Type b) {
  if (is_complex(a) || is_complex(b)) return complex_of(promote(real_part_type(a), real_part_type(b)));
  a = promote(a);
  b = promote(b);
  if (is_float(a) || is_float(b)) {
    return a == Type::Float64 || b == Type::Float64 ? Type::Float64 : Type::Float32;
  }
  if (size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  return is_unsigned_integer(a) ? a : b;
}

Type real_part_type(Type type) {
  if (type == Type::Complex64) return Type::Float32;
  return type == Type::Complex128 ? Type::Float64 : type;
}

Type complex_of(Type type) {
  return type == Type::Float32 || type == Type::Complex64 ? Type::Complex64 : Type::Complex128;
}

}  // namespace lacuna
