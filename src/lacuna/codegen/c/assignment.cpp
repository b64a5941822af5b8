#include <fmt/format.h>

#include "lacuna/codegen/c/statement.h"
#include "lacuna/codegen/c_family/type_text.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/error.h"

// Assignments and stores: `x = e`, `x += e`, `x++`.
namespace lacuna {
namespace {

using loop::BinaryOp;

/// "+" for `+=` and so on; empty for operators that C cannot join with an assignment or that need more than C's.
std::string_view joined_symbol(BinaryOp op, Type type, bool wraps) {
  const bool divides_safely = is_float(type) || (is_integer(type) && !wraps);
  switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub: return "-";
    case BinaryOp::Mul: return is_complex(type) ? "" : "*";
    case BinaryOp::Div: return divides_safely ? "/" : "";
    case BinaryOp::Mod: return divides_safely && is_integer(type) ? "%" : "";
    case BinaryOp::BitAnd: return "&";
    case BinaryOp::BitOr: return "|";
    case BinaryOp::BitXor: return "^";
    default: return "";
  }
}

bool commutes(BinaryOp op) {
  return op == BinaryOp::Add || op == BinaryOp::Mul || op == BinaryOp::BitAnd || op == BinaryOp::BitOr ||
         op == BinaryOp::BitXor;
}

bool is_variable(const loop::Expr& expr, const loop::Var& var) {
  const auto* use = std::get_if<loop::VarUse>(&expr.node().kind);
  return use && use->var == var;
}

bool has_call(const loop::Expr& expr) {
  bool found = false;
  loop::for_each(expr,
                 [&](const loop::Expr& each) { found |= std::holds_alternative<loop::Invoke>(each.node().kind); });
  return found;
}

}  // namespace

void StatementPrinter::update(const std::string& target, BinaryOp op, const PrintedExpr& value, Type type) {
  const bool steps = (op == BinaryOp::Add || op == BinaryOp::Sub) && is_integer(type) && type != Type::Bool;
  if (steps && value.text == "1") return lines_.add(fmt::format("{}{};", target, op == BinaryOp::Add ? "++" : "--"));
  if (steps && value.text == "-1") return lines_.add(fmt::format("{}{};", target, op == BinaryOp::Add ? "--" : "++"));
  if (type == Type::Bool && op == BinaryOp::Add) op = BinaryOp::BitOr;  // C has no arithmetic on bool
  lines_.add(fmt::format("{} {}= {};", target, joined_symbol(op, type, false), value.text));
}

/// `x = x op e` as `x op= e`.
bool StatementPrinter::update_of_itself(const loop::Assign& s) {
  const auto* binary = std::get_if<loop::Binary>(&s.value.node().kind);
  if (!binary || !s.var.type().is_scalar()) return false;
  const Type type = s.var.type().scalar;
  if (type == Type::Bool || s.value.scalar() != type || joined_symbol(binary->op, type, binary->wraps).empty())
    return false;
  if (is_variable(binary->left, s.var)) {
    update(s.var.name(), binary->op, expressions_.print(binary->right), type);
    return true;
  }
  if (is_variable(binary->right, s.var) && commutes(binary->op)) {
    update(s.var.name(), binary->op, expressions_.print(binary->left), type);
    return true;
  }
  return false;
}

void StatementPrinter::assign(const loop::Assign& s) {
  if (undeclared_.erase(s.var) > 0) return declare({s.var, s.value});
  if (const auto* call = std::get_if<loop::Invoke>(&s.value.node().kind); call && calls_failing(s.value)) {
    return checked_call(*call, "&" + s.var.name());
  }
  if (!update_of_itself(s)) lines_.add(fmt::format("{} = {};", s.var.name(), expressions_.whole_value(s.value)));
}

/// The target becomes the lesser (greater) of itself and a value.
void StatementPrinter::extremum(const std::string& target, const PrintedExpr& value, Type type, bool greatest) {
  const PrintedExpr old{target, Precedence::Postfix, type};
  if (is_simple(value)) {
    return lines_.add(
        fmt::format("if ({} {} {}) {} = {};", value.text, greatest ? ">" : "<", target, target, value.text));
  }
  lines_.add(fmt::format("{} = {};", target, expressions_.minimum(old, value, type, greatest).text));
}

/// An update of an element that several threads may touch at once.
std::string StatementPrinter::atomic_update(const std::string& target, loop::StoreOp op, const PrintedExpr& value,
                                            Type type) {
  const bool is_flag = type == Type::Bool;  // whose sum is `or`, and for which there are no atomic functions
  if (is_flag && op == loop::StoreOp::Add) op = loop::StoreOp::Or;
  std::string_view family;
  switch (op) {
    case loop::StoreOp::Set: family = "atomic_set"; break;
    case loop::StoreOp::Add: family = "atomic_add"; break;
    case loop::StoreOp::Or: family = "atomic_or"; break;
    case loop::StoreOp::Min: family = "atomic_min"; break;
    case loop::StoreOp::Max: family = "atomic_max"; break;
  }
  const std::string name = requirements_.prelude.use(family, is_flag ? Type::UInt8 : type);
  return fmt::format("{}({}&{}, {})", name, is_flag ? "(uint8_t *)" : "", target, value.text);
}

void StatementPrinter::store(const loop::Store& s) {
  if (const auto call = expressions_.streamed(s)) return lines_.add(*call + ";");
  const bool is_extremum = s.op == loop::StoreOp::Min || s.op == loop::StoreOp::Max;
  loop::Expr index = s.index;
  if (is_extremum && has_call(index)) {
    // The element is named twice, and the call must be made once.
    const std::string name = names_.unique("k");
    lines_.add(fmt::format("{}{} = {};", declarator(index.type(), true, false), name, expressions_.value(index)));
    index = loop::Var(name, index.type());
  }
  const std::string target = expressions_.target(s, index);
  const PrintedExpr value = expressions_.print(s.value);
  const Type type = s.value.type().is_ref() ? Type::UInt32 : s.value.scalar();
  if (s.atomic && !takes_turns_) return lines_.add(atomic_update(target, s.op, value, type) + ";");
  switch (s.op) {
    case loop::StoreOp::Set: lines_.add(fmt::format("{} = {};", target, value.text)); break;
    case loop::StoreOp::Add: update(target, BinaryOp::Add, value, type); break;
    case loop::StoreOp::Or: update(target, BinaryOp::BitOr, value, type); break;
    case loop::StoreOp::Min: extremum(target, value, type, false); break;
    case loop::StoreOp::Max: extremum(target, value, type, true); break;
  }
}

}  // namespace lacuna
