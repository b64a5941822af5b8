#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

/// How tightly a printed expression holds together.
enum class Binding : std::uint8_t { Additive, Multiplicative, Unary, Primary };

Binding binding_of(const Expr& e) {
  if (const auto* binary = as<Binary>(e)) {
    const bool additive = binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub;
    return additive ? Binding::Additive : Binding::Multiplicative;
  }
  return as<Negate>(e) != nullptr ? Binding::Unary : Binding::Primary;
}

std::string_view symbol(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub: return "-";
    case BinaryOp::Mul: return "*";
    case BinaryOp::Div: return "/";
  }
  throw InternalError("internal error: a BinaryOp outside its enumeration");
}

/// A double that the parser reads as one, and not as an integer.
std::string float_text(const Scalar& value) {
  std::string text = value.to_string();
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

/// The shortest digits of a float may, read as a double first, round to its neighbour; then the double's digits serve.
std::string float32_text(const Scalar& value) {
  const std::string digits = float_text(value);
  double read = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), read);
  const bool same = std::isfinite(value.as<float>()) && static_cast<float>(read) == value.as<float>();
  return same || !std::isfinite(value.as<float>()) ? digits : float_text(value.convert(Type::Float64));
}

/// The type name is left out where the number alone has that type.
std::string literal_text(const Scalar& value) {
  const std::string text = value.to_string();
  const auto typed = [&](const std::string& number) { return fmt::format("{}({})", type_name(value.type()), number); };
  switch (value.type()) {
    case Type::Bool:
    case Type::Int32: return text;
    case Type::Int64: return value.as<std::int32_t>() == value.as<std::int64_t>() ? typed(text) : text;
    case Type::UInt64: return value.as<std::int64_t>() < 0 ? text : typed(text);
    case Type::Float64: return float_text(value);
    case Type::Float32: return typed(float32_text(value));
    case Type::Complex64: return typed(literal_text(value.convert(Type::Complex128)));
    case Type::Complex128: {
      const auto number = value.as<std::complex<double>>();
      return fmt::format("complex({}, {})", float_text(number.real()), float_text(number.imag()));
    }
    default: return typed(text);
  }
}

std::string print(const Expr& e);

std::string print_within(const Expr& e, bool parentheses) { return parentheses ? "(" + print(e) + ")" : print(e); }

std::string print_access(const Access& access) {
  if (access.indices.empty()) return access.tensor.name();
  std::string text = access.tensor.name() + "(";
  for (std::size_t k = 0; k < access.indices.size(); ++k) {
    if (k > 0) text += ",";
    text += access.indices[k].name();
  }
  return text + ")";
}

std::string print_call(const Call& call) {
  std::string text = fmt::format("{}(", info(call.function).name);
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    if (k > 0) text += ", ";
    text += print(call.arguments[k]);
  }
  return text + ")";
}

std::string print_sum(const Sum& outer) {
  std::string text = "sum(" + outer.var.name() + ", ";
  Expr body = outer.body;
  while (const auto* inner = as<Sum>(body)) {
    text += inner->var.name() + ", ";
    body = inner->body;
  }
  return text + print(body) + ")";
}

std::string print_binary(const Binary& binary, Binding own) {
  // Operators group from the left, so an equal one on the right needs its parentheses.
  return fmt::format("{} {} {}", print_within(binary.left, binding_of(binary.left) < own), symbol(binary.op),
                     print_within(binary.right, binding_of(binary.right) <= own));
}

std::string print(const Expr& e) {
  return match(
      e, [](const Access& n) { return print_access(n); }, [](const Literal& n) { return literal_text(n.value); },
      [](const IndexValue& n) { return n.var.name(); },
      [](const Negate& n) { return "-" + print_within(n.operand, binding_of(n.operand) < Binding::Unary); },
      [&](const Binary& n) { return print_binary(n, binding_of(e)); }, [](const Call& n) { return print_call(n); },
      [](const Cast& n) { return fmt::format("{}({})", type_name(n.type), print(n.operand)); },
      [](const Sum& n) { return print_sum(n); });
}

}  // namespace

std::string to_string(const Expr& e) { return print(e); }

std::string to_string(const Statement& s) {
  return fmt::format("{} {} {}", print_access(s.lhs), s.accumulate ? "+=" : "=", print(s.rhs));
}

}  // namespace lacuna
