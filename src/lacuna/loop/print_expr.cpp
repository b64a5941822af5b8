#include <array>

#include <fmt/format.h>

#include "lacuna/loop/passes.h"
#include "lacuna/loop/print_names.h"
#include "lacuna/support/error.h"

namespace lacuna::loop {
namespace {

// As in C: a higher number binds tighter.
enum Precedence {
  Ternary = 1,
  LogicalOr,
  LogicalAnd,
  BitwiseOr,
  BitwiseXor,
  BitwiseAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Prefix,
  Primary
};

struct Operator {
  const char* text;
  Precedence precedence;
};

Operator operator_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return {"+", Sum};
    case BinaryOp::Sub: return {"-", Sum};
    case BinaryOp::Mul: return {"*", Product};
    case BinaryOp::Div: return {"/", Product};
    case BinaryOp::Mod: return {"%", Product};
    case BinaryOp::Min: return {"min", Primary};
    case BinaryOp::Max: return {"max", Primary};
    case BinaryOp::And: return {"&&", LogicalAnd};
    case BinaryOp::Or: return {"||", LogicalOr};
    case BinaryOp::Eq: return {"==", Equality};
    case BinaryOp::Ne: return {"!=", Equality};
    case BinaryOp::Lt: return {"<", Relation};
    case BinaryOp::Le: return {"<=", Relation};
    case BinaryOp::Gt: return {">", Relation};
    case BinaryOp::Ge: return {">=", Relation};
    case BinaryOp::BitAnd: return {"&", BitwiseAnd};
    case BinaryOp::BitOr: return {"|", BitwiseOr};
    case BinaryOp::BitXor: return {"^", BitwiseXor};
    case BinaryOp::ShiftLeft: return {"<<", Shift};
    case BinaryOp::ShiftRight: return {">>", Shift};
  }
  throw InternalError("internal error: a BinaryOp outside its enumeration");
}

struct Text {
  std::string text;
  Precedence precedence = Primary;
};

Text print(const Expr& e);

std::string at_least(const Expr& e, int precedence) {
  const Text inner = print(e);
  return inner.precedence < precedence ? "(" + inner.text + ")" : inner.text;
}

std::string list(const std::vector<Expr>& arguments) {
  std::string text;
  for (const Expr& each : arguments) text += (text.empty() ? "" : ", ") + print(each).text;
  return text;
}

Text print_constant(const Constant& constant, const IrType& type) {
  const Scalar& value = constant.value;
  if (type.is_ref()) return {value == Scalar(null_ref_bits) ? "null" : value.to_string(), Primary};
  std::string text = value.to_string();
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  if (is_float(value.type()) && is_whole) text += ".0";
  const bool is_negative = text[0] == '-';
  return {std::move(text), is_negative ? Prefix : Primary};
}

Text print_binary(const Binary& node) {
  const Operator op = operator_of(node.op);
  if (op.precedence == Primary) {
    return {fmt::format("{}({}, {})", op.text, print(node.left).text, print(node.right).text), Primary};
  }
  std::string left = at_least(node.left, op.precedence);
  std::string right = at_least(node.right, op.precedence + 1);
  return {fmt::format("{} {} {}", left, op.text, right), op.precedence};
}

struct ExprPrinter {
  const IrType& type;

  Text operator()(const Constant& node) const { return print_constant(node, type); }
  Text operator()(const VarUse& node) const { return {node.var.name(), Primary}; }
  Text operator()(const Unary& node) const {
    // Two minus signs in a row would read as a decrement.
    return {(node.op == UnaryOp::Not ? "!" : "-") + at_least(node.operand, node.op == UnaryOp::Not ? Prefix : Primary),
            Prefix};
  }
  Text operator()(const Binary& node) const { return print_binary(node); }
  Text operator()(const Select& node) const {
    return {fmt::format("{} ? {} : {}", at_least(node.condition, LogicalOr), at_least(node.if_true, Ternary),
                        at_least(node.if_false, Ternary)),
            Ternary};
  }
  Text operator()(const Convert& node) const {
    return {fmt::format("{}({})", type_text(type), print(node.operand).text), Primary};
  }
  Text operator()(const Math& node) const {
    return {fmt::format("{}({})", info(node.function).name, list(node.arguments)), Primary};
  }
  Text operator()(const Load& node) const {
    return {(node.wide ? "wide " : "") + element_text(node.array, node.index, node.member),
            node.wide ? Prefix : Primary};
  }
  Text operator()(const Invoke& node) const {
    return {fmt::format("{}({})", node.function, list(node.arguments)), Primary};
  }
  Text operator()(const LowerBound& node) const {
    return {fmt::format("{}({}, {}, {}, {})", node.near ? "lower_bound_near" : "lower_bound", node.array.name(),
                        print(node.low).text, print(node.high).text, print(node.key).text),
            Primary};
  }
  Text operator()(const Dot& node) const {
    const auto vector = [&](const Vector& v) {
      return fmt::format("{}[{}; {} by {}]", v.array.name(), print(v.first).text, print(node.count).text,
                         print(v.stride).text);
    };
    return {fmt::format("dot({}, {})", vector(node.left), vector(node.right)), Primary};
  }
};

Text print(const Expr& e) { return std::visit(ExprPrinter{e.type()}, e.node().kind); }

}  // namespace

std::string type_text(const IrType& type) {
  switch (type.kind) {
    case IrType::Kind::Void: return "void";
    case IrType::Kind::Scalar: return std::string(type_name(type.scalar));
    case IrType::Kind::Array:
      return type.record ? fmt::format("{}*[]", type.record->name) : fmt::format("{}[]", type_name(type.scalar));
    case IrType::Kind::Arena: return fmt::format("{}[]", type.record->name);
    case IrType::Kind::Shelf: return type_text(kept_type(type)) + "[]";
    case IrType::Kind::Ref: return fmt::format("{}*", type.record->name);
  }
  throw InternalError("internal error: an IrType outside its enumeration");
}

std::string element_text(const Var& array, const Expr& index, const std::optional<Member>& member) {
  std::string text = fmt::format("{}[{}]", array.name(), to_string(index));
  if (!member) return text;
  text += "." + member->field;
  return member->sub.defined() ? fmt::format("{}[{}]", text, to_string(member->sub)) : text;
}

std::string to_string(const Expr& expr) { return expr.defined() ? print(expr).text : std::string(); }

}  // namespace lacuna::loop
