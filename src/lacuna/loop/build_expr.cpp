#include <algorithm>
#include <array>

#include "lacuna/loop/access.h"
#include "lacuna/loop/build.h"
#include "lacuna/loop/passes.h"
#include "lacuna/support/check.h"

namespace lacuna::loop {
namespace {

template <typename Kind>
Expr make(Kind kind, IrType type) {
  return Expr(std::make_shared<const ExprNode>(ExprNode{std::move(kind), std::move(type)}));
}

const Scalar* constant_of(const Expr& e) {
  const auto* constant = std::get_if<Constant>(&e.node().kind);
  return constant && e.type().is_scalar() ? &constant->value : nullptr;
}

/// The integer constant `e` as a constant of `type`, if it is one and fits.
Expr adapted(const Expr& e, const IrType& type) {
  const Scalar* value = constant_of(e);
  if (!value || !type.is_scalar() || !is_integer(type.scalar) || !is_integer(value->type())) return e;
  if (type.scalar == Type::Bool || value->type() == Type::Bool) return e;
  const Scalar converted = value->convert(type.scalar);
  const bool fits =
      converted.convert(value->type()) == *value && (converted.as<double>() < 0) == (value->as<double>() < 0);
  return fits ? Expr(converted) : e;
}

void unify(Expr& a, Expr& b) {
  internal_check(a.defined() && b.defined(), "an operand is missing");
  if (a.type() == b.type()) return;
  b = adapted(b, a.type());
  a = adapted(a, b.type());
}

bool accepts(BinaryOp op, Type type) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Eq:
    case BinaryOp::Ne: return true;
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: return !is_complex(type);
    case BinaryOp::And:
    case BinaryOp::Or: return type == Type::Bool;
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: return is_integer(type);
    case BinaryOp::Mod:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight: return is_integer(type) && type != Type::Bool;
  }
  return false;
}

bool gives_bool(BinaryOp op) {
  return (op >= BinaryOp::Eq && op <= BinaryOp::Ge) || op == BinaryOp::And || op == BinaryOp::Or;
}

Expr binary(BinaryOp op, Expr a, Expr b, bool wraps) {
  unify(a, b);
  internal_check(a.type() == b.type(), "the operands `{}` and `{}` have different types", to_string(a), to_string(b));
  const bool is_identity = op == BinaryOp::Eq || op == BinaryOp::Ne;
  const IrType& type = a.type();
  internal_check((type.is_ref() && is_identity) || (type.is_scalar() && accepts(op, type.scalar)),
                 "no such operation on operands like `{}` and `{}`", to_string(a), to_string(b));
  const IrType result = gives_bool(op) ? scalar_type(Type::Bool) : type;
  return make(Binary{op, std::move(a), std::move(b), wraps}, result);
}

void check_bool(const Expr& e, const char* what) {
  internal_check(e.defined() && e.type() == scalar_type(Type::Bool), "{} is not a bool: `{}`", what,
                 e.defined() ? to_string(e) : "");
}

Expr search(const Var& array, const Expr& low, const Expr& high, const Expr& key, bool near) {
  internal_check(array.type().kind == IrType::Kind::Array && !array.type().record && is_integer(array.type().scalar),
                 "{} cannot be searched", array.name());
  Expr from = low;
  Expr to = high;
  unify(from, to);
  internal_check(from.type() == to.type() && from.type().is_scalar() && is_integer(from.scalar()),
                 "the bounds `{}` and `{}` of a search are no positions of one type", to_string(low), to_string(high));
  internal_check(key.defined() && key.type().is_scalar() && is_integer(key.scalar()),
                 "the key `{}` of a search in {} is no integer", to_string(key), array.name());
  // One past the last coordinate need not be a value of the elements' type.
  Expr wanted = convert(adapted(key, scalar_type(Type::Int64)), Type::Int64);
  const IrType type = from.type();
  return make(LowerBound{array, std::move(from), std::move(to), std::move(wanted), near}, type);
}

}  // namespace

Expr operator+(const Expr& a, const Expr& b) { return binary(BinaryOp::Add, a, b, false); }
Expr operator-(const Expr& a, const Expr& b) { return binary(BinaryOp::Sub, a, b, false); }
Expr operator*(const Expr& a, const Expr& b) { return binary(BinaryOp::Mul, a, b, false); }
Expr operator/(const Expr& a, const Expr& b) { return binary(BinaryOp::Div, a, b, false); }
Expr operator%(const Expr& a, const Expr& b) { return binary(BinaryOp::Mod, a, b, false); }
Expr operator<(const Expr& a, const Expr& b) { return binary(BinaryOp::Lt, a, b, false); }
Expr operator<=(const Expr& a, const Expr& b) { return binary(BinaryOp::Le, a, b, false); }
Expr operator>(const Expr& a, const Expr& b) { return binary(BinaryOp::Gt, a, b, false); }
Expr operator>=(const Expr& a, const Expr& b) { return binary(BinaryOp::Ge, a, b, false); }
Expr eq(const Expr& a, const Expr& b) { return binary(BinaryOp::Eq, a, b, false); }
Expr ne(const Expr& a, const Expr& b) { return binary(BinaryOp::Ne, a, b, false); }
Expr min(const Expr& a, const Expr& b) { return binary(BinaryOp::Min, a, b, false); }
Expr max(const Expr& a, const Expr& b) { return binary(BinaryOp::Max, a, b, false); }
Expr bit_and(const Expr& a, const Expr& b) { return binary(BinaryOp::BitAnd, a, b, false); }
Expr value_op(BinaryOp op, const Expr& a, const Expr& b) { return binary(op, a, b, true); }

Expr operator&&(const Expr& a, const Expr& b) {
  check_bool(a, "an operand of &&");
  check_bool(b, "an operand of &&");
  if (is_true(a) || is_false(b)) return b;
  if (is_false(a) || is_true(b)) return a;
  return binary(BinaryOp::And, a, b, false);
}

Expr operator||(const Expr& a, const Expr& b) {
  check_bool(a, "an operand of ||");
  check_bool(b, "an operand of ||");
  if (is_false(a) || is_true(b)) return b;
  if (is_true(a) || is_false(b)) return a;
  return binary(BinaryOp::Or, a, b, false);
}

Expr operator!(const Expr& a) {
  check_bool(a, "the operand of !");
  if (is_true(a)) return false;
  if (is_false(a)) return true;
  return make(Unary{UnaryOp::Not, a}, a.type());
}

Expr negate(const Expr& a) {
  internal_check(a.type().is_scalar() && a.scalar() != Type::Bool, "`{}` cannot be negated", to_string(a));
  return make(Unary{UnaryOp::Negate, a}, a.type());
}

Expr select(const Expr& condition, const Expr& if_true, const Expr& if_false) {
  check_bool(condition, "the condition of a select");
  Expr a = if_true;
  Expr b = if_false;
  unify(a, b);
  internal_check(a.type() == b.type() && !a.type().is_memory(), "a select chooses between `{}` and `{}`", to_string(a),
                 to_string(b));
  const IrType type = a.type();
  return make(Select{condition, std::move(a), std::move(b)}, type);
}

Expr convert(const Expr& a, Type to) {
  internal_check(a.type().is_scalar() || (a.type().is_ref() && is_integer(to) && to != Type::Bool),
                 "`{}` cannot be converted to {}", to_string(a), type_name(to));
  if (a.type() == scalar_type(to)) return a;
  return make(Convert{a}, scalar_type(to));
}

Expr as_ref(const Expr& index, std::shared_ptr<const Record> record) {
  internal_check(index.type().is_scalar() && is_integer(index.scalar()) && index.scalar() != Type::Bool,
                 "`{}` is no index of a record", to_string(index));
  internal_check(record != nullptr, "a reference to no record");
  return make(Convert{index}, ref_type(std::move(record)));
}

Expr math(FunctionId function, std::vector<Expr> arguments) {
  std::vector<Type> types;
  for (const Expr& each : arguments) {
    internal_check(each.type().is_scalar(), "`{}` is no argument of {}", to_string(each), info(function).name);
    types.push_back(each.scalar());
  }
  const Type needed = argument_type(function, types);
  for (const Expr& each : arguments) {
    internal_check(each.scalar() == needed, "the argument `{}` of {} should have been converted to {}", to_string(each),
                   info(function).name, type_name(needed));
  }
  return make(Math{function, std::move(arguments)}, scalar_type(result_type(function, types)));
}

Expr load(const Var& array, const Expr& index) {
  const IrType type = accessed_type(array, index, std::nullopt);
  return make(Load{array, index, std::nullopt}, type);
}

Expr load(const Var& arena, const Expr& index, Member member) {
  const std::optional<Member> of(std::move(member));
  const IrType type = accessed_type(arena, index, of);
  return make(Load{arena, index, of}, type);
}

Expr invoke(const std::string& function, std::vector<Expr> arguments, IrType result) {
  internal_check(!function.empty(), "a call of a function without a name");
  for (const Expr& each : arguments) internal_check(each.defined(), "an argument of {} is missing", function);
  return make(Invoke{function, std::move(arguments)}, std::move(result));
}

Expr dot(const Dot& product) {
  const IrType& type = product.left.array.type();
  internal_check(type == array_type(Type::Float64) || type == array_type(Type::Float32),
                 "{} is no array of floating-point numbers", product.left.array.name());
  internal_check(product.right.array.type() == type, "vectors of different types are multiplied");
  for (const Expr& e :
       {product.left.first, product.left.stride, product.right.first, product.right.stride, product.count})
    internal_check(e.defined() && e.type() == scalar_type(Type::Int64), "a vector's size or place is no Int64");
  return make(Dot(product), element_type(type));
}

Expr lower_bound(const Var& array, const Expr& low, const Expr& high, const Expr& key) {
  return search(array, low, high, key, false);
}

Expr lower_bound_near(const Var& array, const Expr& low, const Expr& high, const Expr& key) {
  return search(array, low, high, key, true);
}

Expr constant(Type type, std::int64_t value) { return Scalar(value).convert(type); }

Expr null_ref(std::shared_ptr<const Record> record) {
  return make(Constant{Scalar(null_ref_bits)}, ref_type(std::move(record)));
}

Expr is_null(const Expr& ref) {
  internal_check(ref.type().is_ref(), "`{}` is no reference", to_string(ref));
  return eq(ref, null_ref(ref.type().record));
}

bool is_constant(const Expr& e, std::int64_t value) {
  const Scalar* constant = constant_of(e);
  return constant && *constant == Scalar(value).convert(constant->type());
}
bool is_true(const Expr& e) { return e.type() == scalar_type(Type::Bool) && is_constant(e, 1); }
bool is_false(const Expr& e) { return e.type() == scalar_type(Type::Bool) && is_constant(e, 0); }

}  // namespace lacuna::loop
