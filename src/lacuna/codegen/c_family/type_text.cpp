#include "lacuna/codegen/c_family/type_text.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

std::string float_literal(const Scalar& value) {
  const double x = value.as<double>();
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x < 0 ? "-INFINITY" : "INFINITY";
  const bool is_single = value.type() == Type::Float32;
  std::string text = is_single ? fmt::format("{}", value.as<float>()) : fmt::format("{}", x);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return is_single ? text + "f" : text;
}

std::string unsigned_literal(std::uint64_t x) {
  return x <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) ? fmt::format("{}", x)
                                                                                   : fmt::format("{}u", x);
}

}  // namespace

std::string_view c_type(Type type) {
  switch (type) {
    case Type::Bool: return "bool";
    case Type::Int8: return "int8_t";
    case Type::Int16: return "int16_t";
    case Type::Int32: return "int32_t";
    case Type::Int64: return "int64_t";
    case Type::UInt8: return "uint8_t";
    case Type::UInt16: return "uint16_t";
    case Type::UInt32: return "uint32_t";
    case Type::UInt64: return "uint64_t";
    case Type::Float32: return "float";
    case Type::Float64: return "double";
    case Type::Complex64: return "float _Complex";
    case Type::Complex128: return "double _Complex";
  }
  throw InternalError("internal error: a Type outside its enumeration");
}

std::string element_c_type(const loop::IrType& type) {
  if (type.kind == loop::IrType::Kind::Void) return "void";
  return type.kind == loop::IrType::Kind::Arena ? type.record->name : std::string(c_type(type.scalar));
}

std::string declarator(const loop::IrType& type, bool is_const, bool is_restrict) {
  const std::string_view stars = type.is_shelf() ? "**" : type.is_memory() ? "*" : "";
  return fmt::format("{}{} {}{}", is_const ? "const " : "", element_c_type(type), stars,
                     is_restrict ? "restrict " : "");
}

std::string real_literal(const Scalar& value) {
  const Type type = value.type();
  internal_check(!is_complex(type), "a complex constant is no literal of C");
  if (type == Type::Bool) return value.as<bool>() ? "true" : "false";
  if (is_float(type)) return float_literal(value);
  if (is_unsigned_integer(type)) return unsigned_literal(value.as<std::uint64_t>());
  const auto x = value.as<std::int64_t>();
  // The digits of these two are of a wider type, so that a minus before them would come too late.
  if (x == std::numeric_limits<std::int64_t>::min()) return "INT64_MIN";
  if (x == std::numeric_limits<std::int32_t>::min()) return "INT32_MIN";
  return fmt::format("{}", x);
}

}  // namespace lacuna
