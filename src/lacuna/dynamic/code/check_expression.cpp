#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "lacuna/dynamic/code/check_types.h"
#include "lacuna/dynamic/schema/code_words.h"
#include "lacuna/dynamic/schema/layout.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

using Kind = CodeType::Kind;

class ExpressionChecker {
 public:
  explicit ExpressionChecker(const CodeScope& scope) : scope_(scope) {}

  void check(CodeExpr& expr) {
    const Place outer = where_;
    where_ = expr.where;
    expr.type = std::visit([&](auto& node) { return (*this)(node); }, expr.kind);
    where_ = outer;
  }

  CodeType operator()(const NumberLiteral&) { return {Kind::Int}; }
  CodeType operator()(const BoolLiteral&) { return {Kind::Bool}; }
  CodeType operator()(const NullLiteral&) { return {Kind::Null}; }
  CodeType operator()(const NothingLiteral&) { return {Kind::Place}; }

  CodeType operator()(const Use& use) {
    if (const CodeType* type = scope_.find(use.name)) return *type;
    if (find_constant(scope_.schema, use.name) != nullptr) return {Kind::Int};
    fail("there is no variable {}{}", use.name, did_you_mean(use.name, scope_.names()));
  }

  CodeType operator()(Operation& operation) {
    for (CodeExpr& each : operation.operands) check(each);
    const CodeExpr& left = operation.operands.front();
    const CodeExpr& right = operation.operands.back();
    switch (operation.op) {
      case CodeOp::Or:
      case CodeOp::And:
      case CodeOp::Not:
        for (const CodeExpr& each : operation.operands) require(each, Kind::Bool, "an operand of &&, || and ! is bool");
        return {Kind::Bool};
      case CodeOp::Eq:
      case CodeOp::Ne: compare(left, right); return {Kind::Bool};
      case CodeOp::Lt:
      case CodeOp::Le:
      case CodeOp::Gt:
      case CodeOp::Ge: numbers(operation); return {Kind::Bool};
      default: numbers(operation); return {Kind::Int};
    }
  }

  CodeType operator()(At& at) {
    for (CodeExpr& each : at.parts) check(each);
    if (at.parts[0].type.kind != Kind::Elements)
      fail("only a sequence of elements and an array of a node have positions");
    number(at.parts[1], "a position");
    return {Kind::Elem};
  }

  CodeType operator()(Access& access) {
    const bool names_place = std::exchange(names_place_, false);
    const bool whole_array = std::exchange(whole_array_, false);
    for (CodeExpr& each : access.index) {
      check(each);
      number(each, "a position");
    }
    if (access.base.empty()) return state(access);
    CodeExpr& base = access.base.front();
    check(base);
    names_place_ = names_place;
    whole_array_ = whole_array;
    if (base.type.kind == Kind::Node) return field(access, base.type.name);
    if (base.type.kind == Kind::Elements || base.type.kind == Kind::Elem) return part(access, base.type.kind);
    if (base.type.kind == Kind::Supertype) {
      fail("a reference to {} may lead to several kinds of nodes; ask first: if (… is NODE x), then x.{}",
           base.type.name, access.name.text);
    }
    fail("only nodes have fields, and this is {}", describe(base.type));
  }

  CodeType operator()(const NewNode& made) {
    if (find_node(scope_.schema, made.node.text) == nullptr) {
      fail_at(scope_.source, made.node.where, "there is no node {} to make{}", made.node.text,
              is_supertype(scope_.schema, made.node.text) ? "; it is a supertype, so say which of its nodes" : "");
    }
    return {Kind::Node, made.node.text};
  }

  CodeType operator()(IsNode& test) {
    check(test.operand.front());
    const CodeType& type = test.operand.front().type;
    if (type.kind != Kind::Supertype)
      fail("is asks which node a reference to a supertype leads to; this is {}", describe(type));
    if (!fits(scope_.schema, {Kind::Node, test.node.text}, type)) {
      fail_at(scope_.source, test.node.where, "{} is no node of the supertype {}", test.node.text, type.name);
    }
    return {Kind::Bool};
  }

  CodeType operator()(CallExpr& call) {
    if (const BuiltinName* builtin = find_builtin(call.function.text)) return built_in(call, *builtin);
    const CodeFunction* function = find_function(scope_.program, call.function.text);
    if (function == nullptr) {
      std::vector<std::string_view> known;
      for (const CodeFunction& each : scope_.program.functions) known.push_back(each.name.text);
      for (const BuiltinName& each : builtins) known.push_back(each.name);
      fail_at(scope_.source, call.function.where, "there is no function {}{}", call.function.text,
              did_you_mean(call.function.text, known));
    }
    count(call, function->parameters.size());
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      check(call.arguments[k]);
      require_fits(call.arguments[k], function->parameters[k].type,
                   fmt::format("the parameter {} of {}", function->parameters[k].name.text, function->name.text),
                   scope_);
    }
    return function->result;
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> reason, Args&&... args) const {
    fail_at(scope_.source, where_, reason, std::forward<Args>(args)...);
  }
  void require(const CodeExpr& expr, Kind kind, std::string_view why) const {
    if (expr.type.kind != kind) fail_at(scope_.source, expr.where, "{}, and this is {}", why, describe(expr.type));
  }
  void number(const CodeExpr& expr, std::string_view what) const {
    if (expr.type.is_number()) return;
    fail_at(scope_.source, expr.where, "{} is an integer, and this is {}", what, describe(expr.type));
  }
  void numbers(const Operation& operation) const {
    for (const CodeExpr& each : operation.operands) number(each, "an operand");
  }
  void count(const CallExpr& call, std::size_t expected) const {
    if (call.arguments.size() == expected) return;
    fail("{} takes {} argument{} and gets {}", call.function.text, expected, expected == 1 ? "" : "s",
         call.arguments.size());
  }

  void compare(const CodeExpr& left, const CodeExpr& right) const {
    const bool numbers = left.type.is_number() && right.type.is_number();
    const bool bools = left.type.kind == Kind::Bool && right.type.kind == Kind::Bool;
    const bool nulls = left.type.is_reference() && right.type.is_reference() && left.type != right.type &&
                       (left.type.kind == Kind::Null || right.type.kind == Kind::Null);
    const bool references = left.type == right.type && left.type.is_reference() && left.type.kind != Kind::Null;
    const bool places = left.type.kind == Kind::Place && right.type.kind == Kind::Place;
    if (numbers || bools || nulls || references || places) return;
    fail("{} and {} cannot be compared{}", describe(left.type), describe(right.type),
         left.type.kind == Kind::Value || right.type.kind == Kind::Value ? "; values are only copied" : "");
  }

  CodeType state(Access& access) {
    access.kind = MemberKind::State;
    for (const Variable& each : scope_.program.state) {
      if (each.name.text != access.name.text) continue;
      if (!access.index.empty()) fail("{} of the state is no array", access.name.text);
      return each.type;
    }
    fail_at(scope_.source, access.name.where, "the state has no field {}; declare it: state {{ {} : type }}",
            access.name.text, access.name.text);
  }

  CodeType part(Access& access, Kind base) const {
    const std::string& name = access.name.text;
    if (!access.index.empty()) fail("{} has no positions here", name);
    if (base == Kind::Elements) {
      access.kind = MemberKind::Count;
      if (name == "size") return {Kind::Int};
      fail_at(scope_.source, access.name.where, "a sequence of elements has .size, and [k] for its elements; not {}",
              name);
    }
    access.kind = name == "c" ? MemberKind::PairCoord : MemberKind::PairValue;
    if (name == "c") return {Kind::Coord};
    if (name == "v") return {Kind::Value};
    fail_at(scope_.source, access.name.where, "an element has a coordinate .c and a value .v; not {}", name);
  }

  /// A position is there where the field is an array, but for whole arrays.
  void subscript(const Access& access, const Field& field) const {
    const bool array = array_of(field).has_value();
    if (array == !access.index.empty() || whole_array_) return;
    if (array) fail("{} is an array; say which slot: {}[0]", access.name.text, access.name.text);
    fail("{} is no array and has no slots", access.name.text);
  }

  CodeType field(Access& access, const std::string& node_name) const {
    const NodeType& node = *find_node(scope_.schema, node_name);
    access.node = node_name;
    const Field* whole = find_field(node, access.name.text);
    if (whole != nullptr && is_element(*whole)) {
      access.kind = MemberKind::Pair;
      access.field = whole->name.text;
      subscript(access, *whole);
      if (differences_of(*whole) && !names_place_ && !whole_array_) fail_sum(access, *whole, ", slot by slot");
      return {Kind::Elem};
    }
    for (const Field* each : element_fields(node))
      if (differences_of(*each) && access.name.text == each->name.text + "c") fail_sum(access, *each, "");
    std::vector<std::string_view> known;
    const std::vector<Member> members = members_of(node);
    for (const Member& member : members) {
      known.push_back(member.name);
      if (member.name != access.name.text) continue;
      const Field& field = *find_field(node, member.field);
      access.field = member.field;
      subscript(access, field);
      return type_of(access, field, member);
    }
    for (const Field& each : node.fields) known.push_back(each.name.text);
    fail_at(scope_.source, access.name.where, "{} has no field {}{}", node_name, access.name.text,
            did_you_mean(access.name.text, known));
  }

  [[noreturn]] void fail_sum(const Access& access, const Field& field, std::string_view how) const {
    const std::string& name = field.name.text;
    fail_at(scope_.source, access.name.where,
            "{} stores no coordinates: {}d[k] is by how much {}[k] is behind the element before it; read and write "
            "{}d and {}v{}",
            name, name, name, name, name, how);
  }

  CodeType type_of(Access& access, const Field& field, const Member& member) const {
    if (std::holds_alternative<CoordinateType>(member.type)) {
      access.kind = MemberKind::Coordinate;
      return {Kind::Coord};
    }
    if (std::holds_alternative<ValueType>(member.type)) {
      access.kind = MemberKind::Value;
      return {Kind::Value};
    }
    if (const auto* reference = std::get_if<NodeReference>(&member.type)) {
      access.kind = is_child(field) ? MemberKind::Child : MemberKind::Parent;
      return {is_supertype(scope_.schema, reference->target) ? Kind::Supertype : Kind::Node, reference->target};
    }
    if (is_element(field)) {
      access.kind = MemberKind::Difference;
      return {Kind::Int};
    }
    access.kind = std::holds_alternative<SizeField>(field.type) ? MemberKind::Size : MemberKind::Metadata;
    return {std::get<Type>(member.type) == Type::Bool ? Kind::Bool : Kind::Int};
  }

  CodeType built_in(CallExpr& call, const BuiltinName& builtin) {
    call.builtin = builtin.builtin;
    count(call, builtin.arguments);
    whole_array_ = builtin.builtin == Builtin::LowerBound;
    names_place_ = builtin.builtin == Builtin::Found || builtin.builtin == Builtin::Added;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
      check(call.arguments[k]);
      whole_array_ = names_place_ = false;
    }
    CodeExpr& first = call.arguments.front();
    switch (builtin.builtin) {
      case Builtin::Found:
      case Builtin::Added:
        if (!is_slot(first)) fail("{} is told the slot of a node: {}(n.e[k])", builtin.name, builtin.name);
        return {Kind::Place};
      case Builtin::Elem:
        number(first, "the first part of an element");
        require(call.arguments[1], Kind::Value, "the second part of an element is a value");
        return {Kind::Elem};
      case Builtin::LowerBound:
        if (!is_slot(first) || !std::get<Access>(first.kind).index.empty() || !is_array(std::get<Access>(first.kind))) {
          fail("lower_bound searches an array of elements: lower_bound(n.e, n.B, c)");
        }
        if (differences_of(field_of(std::get<Access>(first.kind)))) {
          fail("{} stores differences of coordinates, which cannot be searched by halves; add them up in a loop",
               std::get<Access>(first.kind).name.text);
        }
        for (std::size_t k = 1; k < 3; ++k) number(call.arguments[k], "a count or coordinate");
        return {Kind::Int};
      default:
        for (const CodeExpr& each : call.arguments) number(each, "an argument");
        return {Kind::Int};
    }
  }

  static bool is_slot(const CodeExpr& expr) {
    const auto* access = std::get_if<Access>(&expr.kind);
    return access != nullptr && access->kind == MemberKind::Pair;
  }
  const Field& field_of(const Access& access) const {
    return *find_field(*find_node(scope_.schema, access.node), access.field);
  }
  bool is_array(const Access& access) const { return array_of(field_of(access)).has_value(); }

  const CodeScope& scope_;
  Place where_;
  bool whole_array_ = false;  // the next access may leave out the slot
  bool names_place_ = false;  // the next access says where an element is, and does not read it
};

}  // namespace

void check_expression(CodeExpr& expr, const CodeScope& scope) { ExpressionChecker(scope).check(expr); }

void check_target(CodeExpr& target, const CodeScope& scope) {
  check_expression(target, scope);
  if (const auto* use = std::get_if<Use>(&target.kind)) {
    if (scope.find(use->name) == nullptr) {
      fail_at(scope.source, target.where, "{} is a constant and cannot be assigned to", use->name);
    }
    if (target.type.kind == Kind::Elements)
      fail_at(scope.source, target.where, "a sequence of elements cannot be changed");
    return;
  }
  const auto* access = std::get_if<Access>(&target.kind);
  const bool stored = access != nullptr && access->kind != MemberKind::Count && access->kind != MemberKind::PairCoord &&
                      access->kind != MemberKind::PairValue;
  if (!stored) fail_at(scope.source, target.where, "only variables, fields of nodes and the state can be assigned to");
}

}  // namespace lacuna::schema
