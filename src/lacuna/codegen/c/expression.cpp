#include "lacuna/codegen/c/expression.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

using loop::BinaryOp;
using loop::Expr;
using loop::IrType;

Type value_type(const IrType& type) { return type.is_ref() ? Type::UInt32 : type.scalar; }

/// Integer bits that a type holds exactly, without the sign.
int exact_bits(Type type) {
  if (type == Type::Bool) return 1;
  if (type == Type::Float32) return std::numeric_limits<float>::digits;
  if (type == Type::Float64) return std::numeric_limits<double>::digits;
  return size_of(type) * 8 - (is_signed_integer(type) ? 1 : 0);
}

/// Whether every value of `from` is one of `to`.
bool contains(Type to, Type from) {
  if (to == from) return true;
  if (to == Type::Bool || is_complex(to) || is_complex(from)) return false;
  if (is_float(from)) return is_float(to) && size_of(to) >= size_of(from);
  const bool sign_fits = !is_signed_integer(from) || is_signed_integer(to) || is_float(to);
  return sign_fits && exact_bits(to) >= exact_bits(from);
}

bool is_negative(const std::optional<Scalar>& constant) {
  return constant && is_signed_integer(constant->type()) && constant->as<std::int64_t>() < 0;
}

/// The constant without its minus, if it has one that can be taken off.
std::optional<PrintedExpr> without_minus(const PrintedExpr& text) {
  if (!is_negative(text.constant) || !text.text.starts_with('-')) return std::nullopt;
  return PrintedExpr{text.text.substr(1), Precedence::Postfix, text.type,
                     Scalar(-text.constant->as<std::int64_t>()).convert(text.type)};
}

struct Symbol {
  std::string_view text;
  Precedence precedence;
};

Symbol symbol_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return {"+", Precedence::Sum};
    case BinaryOp::Sub: return {"-", Precedence::Sum};
    case BinaryOp::Mul: return {"*", Precedence::Product};
    case BinaryOp::Div: return {"/", Precedence::Product};
    case BinaryOp::Mod: return {"%", Precedence::Product};
    case BinaryOp::And: return {"&&", Precedence::And};
    case BinaryOp::Or: return {"||", Precedence::Or};
    case BinaryOp::Eq: return {"==", Precedence::Equality};
    case BinaryOp::Ne: return {"!=", Precedence::Equality};
    case BinaryOp::Lt: return {"<", Precedence::Relational};
    case BinaryOp::Le: return {"<=", Precedence::Relational};
    case BinaryOp::Gt: return {">", Precedence::Relational};
    case BinaryOp::Ge: return {">=", Precedence::Relational};
    case BinaryOp::BitAnd: return {"&", Precedence::BitAnd};
    case BinaryOp::BitOr: return {"|", Precedence::BitOr};
    case BinaryOp::BitXor: return {"^", Precedence::BitXor};
    case BinaryOp::ShiftLeft: return {"<<", Precedence::Shift};
    case BinaryOp::ShiftRight: return {">>", Precedence::Shift};
    case BinaryOp::Min:
    case BinaryOp::Max: break;
  }
  throw InternalError("internal error: an operator that C does not have");
}

bool is_bitwise(BinaryOp op) {
  return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor || op == BinaryOp::ShiftLeft ||
         op == BinaryOp::ShiftRight;
}

/// How tightly an operand must bind to stand without parentheses: by C's rules, but also so that a reader (and
/// -Wparentheses) need not know them where few do.
Precedence least_for_operand(BinaryOp op, Precedence own, const PrintedExpr& operand) {
  if (op == BinaryOp::Or && operand.precedence == Precedence::And) return Precedence::Equality;
  if (is_bitwise(op)) return Precedence::Unary;
  if (own == Precedence::Equality || own == Precedence::Relational) return Precedence::Sum;
  return own;
}

Precedence next(Precedence precedence) { return static_cast<Precedence>(static_cast<int>(precedence) + 1); }

/// Whether a op (b op c) is (a op b) op c for values of a type.
bool is_associative(BinaryOp op, Type type) {
  return op == BinaryOp::And || op == BinaryOp::Or || (op == BinaryOp::Add && is_integer(type));
}

}  // namespace

std::string parenthesized(const PrintedExpr& text, Precedence least) {
  return text.precedence >= least ? text.text : fmt::format("({})", text.text);
}

std::string call_text(std::string_view name, const std::vector<PrintedExpr>& arguments) {
  std::string result = fmt::format("{}(", name);
  for (std::size_t k = 0; k < arguments.size(); k++) result += (k > 0 ? ", " : "") + arguments[k].text;
  return result + ")";
}

PrintedExpr cast_to(const PrintedExpr& text, Type type) {
  return {fmt::format("({}){}", c_type(type), parenthesized(text, Precedence::Unary)), Precedence::Unary, type};
}

bool holds(Type type, const PrintedExpr& text) {
  if (contains(type, text.type)) return true;
  return text.constant && is_integer(type) && text.constant->convert(type).convert(text.type) == *text.constant &&
         (!is_negative(text.constant) || is_signed_integer(type));
}

bool is_simple(const PrintedExpr& text) {
  return std::all_of(text.text.begin(), text.text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

struct ExpressionPrinter::KindPrinter {
  ExpressionPrinter& printer;
  const loop::ExprNode& whole;
  const IrType& type;

  PrintedExpr operator()(const loop::Constant& node) const {
    if (!type.is_ref()) return printer.constant(node.value);
    const auto index = node.value.as<std::uint32_t>();
    if (index == loop::null_ref_bits) return {"LACUNA_NULL", Precedence::Postfix, Type::UInt32};
    return printer.constant(Scalar(index));
  }
  PrintedExpr operator()(const loop::VarUse& node) const {
    return {node.var.name(), Precedence::Postfix, value_type(node.var.type())};
  }
  PrintedExpr operator()(const loop::Unary& node) const {
    const PrintedExpr operand = printer.print(node.operand);
    if (node.op == loop::UnaryOp::Not) {
      return {"!" + parenthesized(operand, Precedence::Unary), Precedence::Unary, Type::Int32};
    }
    const Type computed = promote(type.scalar);
    const PrintedExpr wide = promote(operand.type) == computed ? operand : cast_to(operand, type.scalar);
    const bool has_sign = wide.text.starts_with('-');
    const std::string inner = has_sign ? fmt::format("({})", wide.text) : parenthesized(wide, Precedence::Unary);
    const PrintedExpr negated{"-" + inner, Precedence::Unary, computed};
    return computed == type.scalar ? negated : cast_to(negated, type.scalar);
  }
  PrintedExpr operator()(const loop::Binary& node) const { return printer.binary(node, type.scalar); }
  PrintedExpr operator()(const loop::Select& node) const { return printer.select(node, value_type(type)); }
  PrintedExpr operator()(const loop::Convert& node) const { return printer.convert(node.operand, type); }
  PrintedExpr operator()(const loop::Math& node) const { return printer.math(node, type.scalar); }
  PrintedExpr operator()(const loop::Load& node) const {
    if (node.wide)
      return {printer.vector_at(printer.element(node.array, node.index, node.member), type.scalar, true),
              Precedence::Unary, value_type(type)};
    return {printer.element(node.array, node.index, node.member), Precedence::Postfix, value_type(type)};
  }
  PrintedExpr operator()(const loop::Invoke& node) const {
    std::string call = printer.call_start(node) + ")";
    internal_check(!printer.usage_.functions.at(node.function).has_effect,
                   "the call {} changes something, so it must be a statement or the whole value of one", call);
    return {std::move(call), Precedence::Postfix, value_type(type)};
  }
  PrintedExpr operator()(const loop::LowerBound& node) const {
    const Type element = element_type(node.array.type()).scalar;
    const std::string name = printer.requirements_.prelude.use(node.near ? "lower_bound_near" : "lower_bound", element);
    PrintedExpr found{fmt::format("{}({}, {}, {}, {})", name, node.array.name(), printer.value(node.low),
                                  printer.value(node.high), printer.value(node.key)),
                      Precedence::Postfix, Type::Int64};
    return type.scalar == Type::Int64 ? found : cast_to(found, type.scalar);
  }
  PrintedExpr operator()(const loop::Dot& node) const {
    std::string text = fmt::format("{}({}", printer.requirements_.blas_dot(type.scalar), printer.blas_size(node.count));
    for (const loop::Vector& v : {node.left, node.right})
      text += fmt::format(", {}, {}", printer.address(v.array, v.first), printer.blas_size(v.stride));
    return {text + ")", Precedence::Postfix, value_type(type)};
  }
};

PrintedExpr ExpressionPrinter::print(const Expr& expr) {
  const IrType& type = expr.type();
  if (type.kind != IrType::Kind::Void) requirements_.type(type.scalar);
  return std::visit(KindPrinter{*this, expr.node(), type}, expr.node().kind);
}

std::string ExpressionPrinter::address(const loop::Var& array, const loop::Expr& index) {
  return loop::is_constant(index, 0) ? array.name() : "&" + element(array, index, std::nullopt);
}

std::string ExpressionPrinter::blas_size(const loop::Expr& size) { return value(loop::convert(size, Type::Int32)); }

PrintedExpr ExpressionPrinter::constant(const Scalar& value) {
  const Type type = value.type();
  if (is_complex(type)) {
    const Type part = real_part_type(type);
    const auto z = value.as<std::complex<double>>();
    return prelude_call("", type, {constant(Scalar(z.real()).convert(part)), constant(Scalar(z.imag()).convert(part))},
                        type);
  }
  const std::string text = real_literal(value);
  const Precedence precedence = text.starts_with('-') ? Precedence::Unary : Precedence::Postfix;
  if (text.ends_with("INFINITY") || text == "NAN") {
    requirements_.infinity_or_nan();
    return {text, precedence, Type::Float32};
  }
  if (!is_integer(type)) return {text, precedence, type};
  if (type == Type::Bool) return {text, precedence, Type::Int32};
  const bool is_int = Scalar(value.as<std::int32_t>()).convert(type) == value &&
                      (is_signed_integer(type) || value.as<std::uint64_t>() < (1U << 31U));
  const Type c_literal = is_int ? Type::Int32 : type;
  return {text, precedence, c_literal, value.convert(c_literal)};
}

std::string ExpressionPrinter::element(const loop::Var& array, const Expr& index,
                                       const std::optional<loop::Member>& member) {
  std::string text = fmt::format("{}[{}]", array.name(), value(index));
  if (member) text += "." + member->field;
  if (member && member->sub.defined()) text += fmt::format("[{}]", value(member->sub));
  return text;
}

std::string ExpressionPrinter::vector_at(const std::string& element, Type type, bool is_const) {
  return fmt::format("*({}{} *)&{}", is_const ? "const " : "", requirements_.vector(type, lanes_), element);
}

std::string ExpressionPrinter::target(const loop::Store& store, const Expr& index) {
  std::string text = element(store.array, index, store.member);
  return lanes_ > 0 ? vector_at(text, store.value.type().scalar, false) : text;
}

std::optional<std::string> ExpressionPrinter::streamed(const loop::Store& store) {
  if (lanes_ == 0 || !store.past_caches.defined()) return std::nullopt;
  return fmt::format("{}(&{}, {}, {})", requirements_.stream(store.value.type().scalar, lanes_),
                     element(store.array, store.index, store.member), value(store.value), value(store.past_caches));
}

std::string ExpressionPrinter::whole_value(const Expr& expr) {
  const auto* call = std::get_if<loop::Invoke>(&expr.node().kind);
  return call ? call_start(*call) + ")" : value(expr);
}

std::string ExpressionPrinter::call_start(const loop::Invoke& call) {
  const auto callee = usage_.functions.find(call.function);
  internal_check(callee != usage_.functions.end(), "{} is no function of the module", call.function);
  std::string text = call.function + "(";
  if (callee->second.needs_context) text += call.arguments.empty() ? "ctx" : "ctx, ";
  for (std::size_t k = 0; k < call.arguments.size(); k++) text += (k > 0 ? ", " : "") + value(call.arguments[k]);
  return text;
}

PrintedExpr ExpressionPrinter::minimum(const PrintedExpr& a, const PrintedExpr& b, Type type, bool greatest) {
  if (is_simple(a) && is_simple(b)) {
    const auto [low, high] = greatest ? std::pair(a, b) : std::pair(b, a);
    PrintedExpr condition = comparison(BinaryOp::Lt, low, high, type);
    const Type common = promote(a.type, b.type);
    return {fmt::format("{} ? {} : {}", condition.text, b.text, a.text), Precedence::Ternary,
            holds(common, a) && holds(common, b) ? common : type};
  }
  return prelude_call(greatest ? "max" : "min", type, {a, b}, type);
}

PrintedExpr ExpressionPrinter::binary(const loop::Binary& node, Type result) {
  PrintedExpr a = print(node.left);
  PrintedExpr b = print(node.right);
  const Type type = value_type(node.left.type());
  switch (node.op) {
    case BinaryOp::Min: return minimum(a, b, type, false);
    case BinaryOp::Max: return minimum(a, b, type, true);
    case BinaryOp::And:
    case BinaryOp::Or: return infix(node.op, a, b, Type::Int32);
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: return comparison(node.op, std::move(a), std::move(b), type);
    case BinaryOp::Div:
    case BinaryOp::Mod:
      if (is_integer(type)) return integer_division(node, std::move(a), std::move(b), type);
      if (has_pairs(type)) return prelude_call("divide", type, {a, b}, type);
      break;
    case BinaryOp::Mul:
      if (is_complex(type)) return prelude_call("multiply", type, {a, b}, type);
      break;
    default: break;
  }
  return arithmetic(node.op, std::move(a), std::move(b), result);
}

/// `a op b` with the parentheses that it needs.
PrintedExpr ExpressionPrinter::infix(BinaryOp op, const PrintedExpr& a, const PrintedExpr& b, Type type) {
  const Symbol symbol = symbol_of(op);
  const bool is_logic = op == BinaryOp::And || op == BinaryOp::Or;
  const bool flat = is_associative(op, type) && (is_logic || a.type == type);
  const Precedence least_left = least_for_operand(op, symbol.precedence, a);
  const Precedence least_right = least_for_operand(op, symbol.precedence, b);
  const std::string left = parenthesized(a, least_left);
  const std::string right =
      parenthesized(b, least_right == symbol.precedence && !flat ? next(least_right) : least_right);
  return {fmt::format("{} {} {}", left, symbol.text, right), symbol.precedence, type};
}

/// Computes in the type that C computes values of `type` in, and converts the result back where that is another.
PrintedExpr ExpressionPrinter::arithmetic(BinaryOp op, PrintedExpr a, PrintedExpr b, Type type) {
  const Type computed = promote(type);
  if (op == BinaryOp::Add || op == BinaryOp::Sub) {
    // x + -1 reads better as x - 1.
    if (auto magnitude = without_minus(b); magnitude && is_integer(type)) {
      op = op == BinaryOp::Add ? BinaryOp::Sub : BinaryOp::Add;
      b = *magnitude;
    }
  }
  const bool is_shift = op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight;
  if ((is_shift ? promote(a.type) : promote(a.type, b.type)) != computed) {
    if (a.constant && !is_shift) b = cast_to(b, computed);
    else a = cast_to(a, computed);
  }
  PrintedExpr result = infix(op, a, b, computed);
  const bool stays_in_range = op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor ||
                              op == BinaryOp::ShiftRight || computed == type;
  return stays_in_range ? result : cast_to(result, type);
}

PrintedExpr ExpressionPrinter::comparison(BinaryOp op, PrintedExpr a, PrintedExpr b, Type type) {
  if (has_pairs(type)) {
    const PrintedExpr equal = prelude_call("equal", type, {a, b}, Type::Int32);
    return op == BinaryOp::Eq ? equal : PrintedExpr{"!" + equal.text, Precedence::Unary, Type::Int32};
  }
  const Type common = promote(a.type, b.type);
  if (!holds(common, a) || !holds(common, b)) {
    if (a.constant) b = cast_to(b, type);
    else a = cast_to(a, type);
  }
  PrintedExpr result = infix(op, a, b, common);
  result.type = Type::Int32;
  return result;
}

/// `a == 0` or `a != 0`; C compares both parts of a complex number with it.
PrintedExpr ExpressionPrinter::is_zero(BinaryOp eq_or_ne, const PrintedExpr& a, Type type) {
  if (has_pairs(type)) return comparison(eq_or_ne, a, constant(Scalar::zero(type)), type);
  const PrintedExpr zero{"0", Precedence::Postfix, is_complex(type) ? type : Type::Int32, Scalar(0)};
  return comparison(eq_or_ne, a, zero, type);
}

PrintedExpr ExpressionPrinter::integer_division(const loop::Binary& node, PrintedExpr a, PrintedExpr b, Type type) {
  const bool safe_divisor = b.constant && !b.constant->is_zero() && !is_negative(b.constant);
  if (!node.wraps || safe_divisor) return arithmetic(node.op, std::move(a), std::move(b), type);
  return prelude_call(node.op == BinaryOp::Div ? "divide" : "modulo", type, {a, b}, type);
}

PrintedExpr ExpressionPrinter::select(const loop::Select& node, Type type) {
  const PrintedExpr condition = print(node.condition);
  PrintedExpr a = print(node.if_true);
  PrintedExpr b = print(node.if_false);
  const Type common = promote(a.type, b.type);
  const bool keeps = holds(common, a) && holds(common, b);
  if (!keeps) a = cast_to(a, type);
  return {fmt::format("{} ? {} : {}", parenthesized(condition, Precedence::Or), parenthesized(a, Precedence::Or),
                      parenthesized(b, Precedence::Ternary)),
          Precedence::Ternary, keeps ? common : promote(type)};
}

PrintedExpr ExpressionPrinter::real_part(const PrintedExpr& text, Type type) {
  const Type part = real_part_type(type);
  if (has_pairs(type)) return prelude_call("real", type, {text}, part);
  return {call_text(requirements_.library("creal", part, type, 1), {text}), Precedence::Postfix, part};
}

PrintedExpr ExpressionPrinter::as_pair(const PrintedExpr& text, Type from, Type type) {
  if (is_complex(from)) {
    if (type == Type::Complex128) return prelude_call("widened", type, {text}, type);
    return {call_text(requirements_.prelude.use("narrowed_complex64"), {text}), Precedence::Postfix, type};
  }
  const Type part = real_part_type(type);
  return prelude_call("", type, {cast_to(text, part), constant(Scalar::zero(part))}, type);
}

PrintedExpr ExpressionPrinter::convert(const Expr& operand, const IrType& to) {
  const PrintedExpr text = print(operand);
  const Type from = value_type(operand.type());
  const Type target = value_type(to);
  if (from == target) return text;
  if (target == Type::Bool) return is_zero(BinaryOp::Ne, text, from);
  if (is_complex(from) && !is_complex(target)) {
    const PrintedExpr real = real_part(text, from);
    if (is_float(target)) return real.type == target ? real : cast_to(real, target);
    return prelude_call("to", target, {real}, target);
  }
  if (has_pairs(target)) return as_pair(text, from, target);
  if (is_float(from) && is_integer(target)) return prelude_call("to", target, {text}, target);
  if (contains(target, from) || (text.constant && holds(target, text))) return text;
  return cast_to(text, target);
}

}  // namespace lacuna
