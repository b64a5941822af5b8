#include "lacuna/dynamic/lower/place.h"
#include "lacuna/dynamic/lower/translate.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/check.h"

namespace lacuna::dynamic {
namespace {

using loop::Expr;
using loop::Var;
using schema::Access;
using schema::CodeExpr;
using schema::CodeOp;
using schema::CodeType;
using schema::MemberKind;
using Kind = CodeType::Kind;

const CodeType int_type{Kind::Int};

Expr combined(CodeOp op, const Expr& a, const Expr& b) {
  switch (op) {
    case CodeOp::Or: return a || b;
    case CodeOp::And: return a && b;
    case CodeOp::Eq: return loop::eq(a, b);
    case CodeOp::Ne: return loop::ne(a, b);
    case CodeOp::Lt: return a < b;
    case CodeOp::Le: return a <= b;
    case CodeOp::Gt: return a > b;
    case CodeOp::Ge: return a >= b;
    case CodeOp::Add: return a + b;
    case CodeOp::Sub: return a - b;
    case CodeOp::Mul: return a * b;
    case CodeOp::Div: return a / b;
    case CodeOp::Mod: return a % b;
    default: throw InternalError("internal error: no operator of two operands");
  }
}

class Translator {
 public:
  Translator(const Context& context, const CodeType& type) : context_(context), type_(type) {}

  Expr operator()(const schema::NumberLiteral& literal) const { return literal.value; }
  Expr operator()(const schema::BoolLiteral& literal) const { return literal.value; }
  Expr operator()(const schema::NothingLiteral&) const { return nothing; }
  Expr operator()(const schema::NullLiteral&) const {
    throw InternalError("internal error: null is converted to the type of its place");
  }
  Expr operator()(const schema::Use& use) const {
    const auto found = context_.variables.find(use.name);
    if (found != context_.variables.end()) return found->second.vars.front();
    return find_constant(context_.structure.schema, use.name)->value.value;
  }
  Expr operator()(const schema::At&) const { throw InternalError("internal error: an element is no single value"); }

  Expr operator()(const schema::Operation& operation) const {
    const CodeExpr& left = operation.operands.front();
    const CodeExpr& right = operation.operands.back();
    if (operation.op == CodeOp::Not) return !translate(context_, left);
    if (operation.op == CodeOp::Negate) return Expr(0) - translate_as(context_, left, int_type);
    return combined(operation.op, translate_as(context_, left, common(left, right)),
                    translate_as(context_, right, common(left, right)));
  }

  Expr operator()(const Access& access) const {
    switch (access.kind) {
      case MemberKind::State:
        return loop::load(context_.structure.state.front(), 0,
                          {context_.structure.state_fields.at(access.name.text), {}});
      case MemberKind::Count: {
        const std::vector<Var>& vars = sequence(access.base.front());
        return Expr(vars[3]) - vars[2];
      }
      case MemberKind::PairCoord: return translate_pair(context_, access.base.front()).coordinate;
      case MemberKind::PairValue: return translate_pair(context_, access.base.front()).value;
      default: {
        const Expr loaded = place_in_memory(context_, access, part_of(access.kind)).load();
        return type_.kind == Kind::Int ? loop::convert(loaded, Type::Int64) : loaded;
      }
    }
  }

  Expr operator()(const schema::NewNode& made) const {
    const NodeRecord& node = context_.structure.node(made.node.text);
    return call(context_.functions.make.at(made.node.text), memory_of_new(context_.structure, node), {},
                loop::ref_type(node.record));
  }

  Expr operator()(const schema::IsNode& test) const {
    const CodeExpr& operand = test.operand.front();
    const int bits = schema::tag_bits(context_.structure.schema, operand.type.name);
    return loop::eq(loop::bit_and(translate(context_, operand), loop::constant(Type::UInt32, (1 << bits) - 1)),
                    loop::constant(Type::UInt32, context_.structure.node(test.node.text).tag));
  }

  Expr operator()(const schema::CallExpr& node) const {
    if (node.builtin != schema::Builtin::None) return built_in(node);
    const schema::CodeFunction& callee = *find_function(context_.program, node.function.text);
    std::vector<Expr> arguments;
    for (std::size_t k = 0; k < node.arguments.size(); k++) {
      const CodeType& type = callee.parameters[k].type;
      if (type.kind == Kind::Elements) {
        for (const Var& each : sequence(node.arguments[k])) arguments.emplace_back(each);
      } else {
        arguments.push_back(translate_as(context_, node.arguments[k], type));
      }
    }
    return call(context_.functions.own.at(callee.name.text), context_.structure.memory_of(callee.effects),
                std::move(arguments), context_.structure.type_of(callee.result));
  }

  const std::vector<Var>& sequence(const CodeExpr& expr) const {
    return context_.variables.at(std::get<schema::Use>(expr.kind).name).vars;
  }

 private:
  /// The type that two operands are compared or computed in.
  CodeType common(const CodeExpr& left, const CodeExpr& right) const {
    if (left.type.kind == Kind::Null) return right.type;
    if (right.type.kind == Kind::Null || left.type == right.type) {
      const bool computes = left.type.kind == Kind::Coord && type_.kind == Kind::Int;
      return computes ? int_type : left.type;
    }
    return left.type.is_number() ? int_type : left.type;
  }

  Expr built_in(const schema::CallExpr& node) const {
    const auto number = [&](std::size_t k) { return translate_as(context_, node.arguments[k], int_type); };
    switch (node.builtin) {
      case schema::Builtin::Min: return loop::min(number(0), number(1));
      case schema::Builtin::Max: return loop::max(number(0), number(1));
      case schema::Builtin::Hash: return loop::invoke(context_.functions.hash, {number(0)}, loop::int64_type);
      case schema::Builtin::LowerBound: {
        const auto& field = std::get<Access>(node.arguments[0].kind);
        const NodeRecord& record = context_.structure.node(field.node);
        return call(context_.functions.lower_bound.at(field.node + "." + field.field),
                    memory_of_search(context_.structure, record, field.field),
                    {translate(context_, field.base.front()), number(1), number(2)}, loop::int64_type);
      }
      default: {
        const auto& slot = std::get<Access>(node.arguments[0].kind);
        return place_of(context_.structure, slot.node, slot.field, translate(context_, slot.base.front()),
                        slot.index.empty() ? Expr() : translate_as(context_, slot.index.front(), int_type),
                        node.builtin == schema::Builtin::Added);
      }
    }
  }

  const Context& context_;
  const CodeType& type_;
};

}  // namespace

Expr Place::load() const { return member ? loop::load(array, index, *member) : loop::load(array, index); }
loop::Stmt Place::store(const Expr& value) const {
  return member ? loop::store(array, index, *member, value) : loop::store(array, index, value);
}

const char* part_of(MemberKind kind) {
  switch (kind) {
    case MemberKind::Coordinate: return "c";
    case MemberKind::Difference: return "d";
    case MemberKind::Value: return "v";
    default: return "";
  }
}

Place place_in_memory(const Context& context, const Access& access, const std::string& part) {
  const NodeRecord& node = context.structure.node(access.node);
  const Expr base = translate(context, access.base.front());
  const Expr slot = access.index.empty() ? Expr() : translate_as(context, access.index.front(), int_type);
  const std::string member = access.field + part;
  const auto elsewhere = node.sizes.find(member);
  if (elsewhere == node.sizes.end()) return {node.arena, base, loop::Member{node.fields.at(member), slot}};
  const Pool& pool = context.structure.pool(access.node, elsewhere->second);
  const Expr at = loop::convert(loop::load(node.arena, base, {pool.position, {}}), Type::Int64);
  return {pool.arrays.at(member), at + slot, std::nullopt};
}

Expr translate(const Context& context, const CodeExpr& expr) {
  return std::visit(Translator(context, expr.type), expr.kind);
}

Expr converted(const Context& context, const Expr& value, const CodeType& from, const CodeType& to) {
  if (from == to) return value;
  if (to.kind == Kind::Int) return loop::convert(value, Type::Int64);
  if (to.kind == Kind::Coord) {
    const Type type = context.structure.types.coordinate;
    const auto* literal = std::get_if<loop::Constant>(&value.node().kind);
    return literal != nullptr ? Expr(literal->value.convert(type)) : loop::convert(value, type);
  }
  internal_check(to.kind == Kind::Supertype && from.kind == Kind::Node, "{} does not fit {}", describe(from),
                 describe(to));
  const int bits = schema::tag_bits(context.structure.schema, to.name);
  const Expr index =
      loop::value_op(loop::BinaryOp::ShiftLeft, loop::convert(value, Type::UInt32), loop::constant(Type::UInt32, bits));
  const std::uint32_t tag = context.structure.node(from.name).tag;
  const Expr tagged =
      tag == 0 ? index : loop::value_op(loop::BinaryOp::BitOr, index, loop::constant(Type::UInt32, tag));
  return loop::select(loop::is_null(value), Expr(Scalar(loop::null_ref_bits)), tagged);
}

Expr translate_as(const Context& context, const CodeExpr& expr, const CodeType& type) {
  if (expr.type.kind != Kind::Null) return converted(context, translate(context, expr), expr.type, type);
  if (type.kind == Kind::Node) return loop::null_ref(context.structure.node(type.name).record);
  return Scalar(loop::null_ref_bits);
}

Pair translate_pair(const Context& context, const CodeExpr& expr) {
  if (const auto* use = std::get_if<schema::Use>(&expr.kind)) {
    const std::vector<Var>& vars = context.variables.at(use->name).vars;
    return {vars[0], vars[1]};
  }
  if (const auto* access = std::get_if<Access>(&expr.kind)) {
    return {place_in_memory(context, *access, "c").load(), place_in_memory(context, *access, "v").load()};
  }
  if (const auto* at = std::get_if<schema::At>(&expr.kind)) {
    const std::vector<Var>& vars = Translator(context, expr.type).sequence(at->parts[0]);
    const Expr position = Expr(vars[2]) + translate_as(context, at->parts[1], int_type);
    return {loop::convert(loop::load(vars[0], position), context.structure.types.coordinate),
            loop::load(vars[1], position)};
  }
  const auto& made = std::get<schema::CallExpr>(expr.kind);
  return {translate_as(context, made.arguments[0], {Kind::Coord}), translate(context, made.arguments[1])};
}

bool is_call(const CodeExpr& expr) {
  const auto* call = std::get_if<schema::CallExpr>(&expr.kind);
  return std::holds_alternative<schema::NewNode>(expr.kind) ||
         (call != nullptr && call->builtin == schema::Builtin::None);
}

}  // namespace lacuna::dynamic
