#include "lacuna/dynamic/code/walk.h"
#include "lacuna/dynamic/lower/translate.h"
#include "lacuna/loop/walk.h"

namespace lacuna::dynamic {
namespace {

using loop::declare;
using loop::Expr;
using loop::Stmt;
using loop::Var;
using schema::CodeBlock;
using schema::CodeExpr;
using schema::CodeType;
using Kind = CodeType::Kind;
using Statements = std::vector<Stmt>;

bool reads_memory(const Expr& expr) {
  bool reads = false;
  loop::for_each(expr,
                 [&](const Expr& each) { reads = reads || std::holds_alternative<loop::Load>(each.node().kind); });
  return reads;
}

bool reads_coordinates(const CodeExpr& expr) {
  bool reads = false;
  schema::for_each(expr, [&](const CodeExpr& each) {
    const auto* access = std::get_if<schema::Access>(&each.kind);
    reads = reads || (access != nullptr && access->kind == schema::MemberKind::Coordinate);
  });
  return reads;
}

class FunctionTranslator {
 public:
  FunctionTranslator(Context context, const schema::CodeFunction& function, loop::NameSupply names)
      : context_(std::move(context)), function_(function), names_(std::move(names)) {}

  loop::Function translate_all() {
    std::vector<Var> parameters = context_.structure.memory_of(function_.effects);
    for (const Var& each : context_.structure.all_memory()) names_.reserve(each.name());
    for (const schema::Variable& each : function_.parameters) {
      const Binding& made = bind(each.name.text, each.type);
      parameters.insert(parameters.end(), made.vars.begin(), made.vars.end());
    }
    return {context_.functions.own.at(function_.name.text), std::move(parameters),
            context_.structure.type_of(function_.result), block(function_.body)};
  }

 private:
  const Binding& bind(const std::string& name, const CodeType& type) {
    const auto var = [&](const std::string& wanted, const loop::IrType& of) { return Var(names_.unique(wanted), of); };
    const LevelTypes& types = context_.structure.types;
    Binding made;
    if (type.kind == Kind::Elem || type.kind == Kind::Elements) {
      const bool many = type.kind == Kind::Elements;
      const loop::IrType value_array =
          types.value.is_ref() ? loop::ref_array_type(types.value.record) : loop::array_type(types.value.scalar);
      made.vars.push_back(
          var(name + "_c", many ? loop::array_type(types.coordinate) : loop::scalar_type(types.coordinate)));
      made.vars.push_back(var(name + "_v", many ? value_array : types.value));
      if (many) {
        made.vars.push_back(var(name + "_begin", loop::scalar_type(Type::Int64)));
        made.vars.push_back(var(name + "_end", loop::scalar_type(Type::Int64)));
      }
    } else {
      made.vars.push_back(var(name, context_.structure.type_of(type)));
    }
    return context_.variables.insert_or_assign(name, made).first->second;
  }

  Stmt block(const CodeBlock& statements) {
    Statements out;
    for (const schema::CodeStmt& each : statements) {
      std::visit([&](const auto& node) { translate_statement(node, out); }, each.kind);
    }
    return loop::block(std::move(out));
  }

  /// The value of a statement. A call stands alone in the IR as well, so where its result is converted, or stored, it
  /// gets a variable.
  Expr whole(const CodeExpr& value, const CodeType& type, bool stored, Statements& out) {
    if (!is_call(value)) return translate_as(context_, value, type);
    const Expr result = translate(context_, value);
    if (value.type == type && !stored) return result;
    const Var made(names_.unique("made"), result.type());
    out.push_back(declare(made, result));
    return converted(context_, made, value.type, type);
  }

  void translate_statement(const schema::LetStmt& let, Statements& out) {
    if (let.type.kind == Kind::Elem) {
      const Pair pair = translate_pair(context_, let.value);
      const Binding& made = bind(let.name.text, let.type);
      out.push_back(declare(made.vars[0], pair.coordinate));
      out.push_back(declare(made.vars[1], pair.value));
      return;
    }
    const Expr value = whole(let.value, let.type, false, out);
    out.push_back(declare(bind(let.name.text, let.type).vars[0], value));
  }

  void translate_statement(const schema::AssignStmt& assignment, Statements& out) {
    const CodeType& type = assignment.target.type;
    if (type.kind == Kind::Elem) {
      assign_pair(assignment, out);
      return;
    }
    const auto* access = std::get_if<schema::Access>(&assignment.target.kind);
    Expr value = whole(assignment.value, assignment.op == schema::AssignOp::Set ? type : CodeType{Kind::Int},
                       access != nullptr, out);
    if (assignment.op != schema::AssignOp::Set) {
      const Expr old = translate_as(context_, assignment.target, {Kind::Int});
      value = assignment.op == schema::AssignOp::Add ? old + value : old - value;
      value = converted(context_, value, {Kind::Int}, type);
    }
    if (access == nullptr) {
      const auto& use = std::get<schema::Use>(assignment.target.kind);
      out.push_back(loop::assign(context_.variables.at(use.name).vars[0], value));
    } else {
      store(*access, value, out);
    }
  }

  void store(const schema::Access& access, const Expr& value, Statements& out) {
    const Structure& structure = context_.structure;
    if (access.kind == schema::MemberKind::State) {
      const std::string& field = structure.state_fields.at(access.name.text);
      out.push_back(loop::store(structure.state.front(), 0, {field, {}}, value));
      return;
    }
    const std::string size = access.node + "." + access.field;
    const bool resizes = access.kind == schema::MemberKind::Size && context_.functions.resize.contains(size);
    if (resizes) {
      const Pool& pool = structure.pool(access.node, access.field);
      out.push_back(loop::evaluate(call(context_.functions.resize.at(size), memory_of_resize(structure, pool),
                                        {translate(context_, access.base.front()), value}, {})));
      return;
    }
    const Place place = place_in_memory(context_, access, part_of(access.kind));
    const loop::IrType type = place.load().type();
    const bool narrows = value.type().is_scalar() && type.is_scalar() && value.type() != type;
    out.push_back(place.store(narrows ? loop::convert(value, type.scalar) : value));
  }

  /// The coordinate is written first, so what is read behind that must not depend on coordinates.
  void assign_pair(const schema::AssignStmt& assignment, Statements& out) {
    Pair pair = translate_pair(context_, assignment.value);
    const auto* use = std::get_if<schema::Use>(&assignment.target.kind);
    const auto* access = std::get_if<schema::Access>(&assignment.target.kind);
    const bool moves =
        access != nullptr && !access->index.empty() && reads_memory(translate(context_, access->index[0]));
    if (use != nullptr || reads_coordinates(assignment.value)) {
      const Var coordinate(names_.unique("moved_c"), pair.coordinate.type());
      const Var value(names_.unique("moved_v"), pair.value.type());
      out.push_back(declare(coordinate, pair.coordinate));
      out.push_back(declare(value, pair.value));
      pair = {coordinate, value};
    }
    if (use != nullptr) {
      const Binding& target = context_.variables.at(use->name);
      out.push_back(loop::assign(target.vars[0], pair.coordinate));
      out.push_back(loop::assign(target.vars[1], pair.value));
      return;
    }
    Place coordinate = place_in_memory(context_, *access, "c");
    Place value = place_in_memory(context_, *access, "v");
    if (moves) {
      Expr& slot = coordinate.member ? coordinate.member->sub : coordinate.index;
      const Var k(names_.unique("slot"), slot.type());
      out.push_back(declare(k, slot));
      slot = k;
      (value.member ? value.member->sub : value.index) = k;
    }
    out.push_back(coordinate.store(pair.coordinate));
    out.push_back(value.store(pair.value));
  }

  /// The body of a branch or loop, with what the condition binds.
  Stmt body_of(const schema::Condition& condition, const CodeBlock& statements) {
    if (!condition.binding) return block(statements);
    const auto& test = std::get<schema::IsNode>(condition.expr.kind);
    const CodeExpr& operand = test.operand.front();
    const int bits = schema::tag_bits(context_.structure.schema, operand.type.name);
    const Expr index =
        loop::value_op(loop::BinaryOp::ShiftRight, translate(context_, operand), loop::constant(Type::UInt32, bits));
    const Expr reference = loop::as_ref(index, context_.structure.node(test.node.text).record);
    const Binding& bound = bind(condition.binding->text, {Kind::Node, test.node.text});
    const Stmt declared = declare(bound.vars[0], reference);
    return loop::block({declared, block(statements)});
  }

  void translate_statement(const schema::IfStmt& branches, Statements& out) {
    const Expr condition = translate(context_, branches.condition.expr);
    const Stmt then_branch = body_of(branches.condition, branches.then_branch);
    const Stmt else_branch = branches.else_branch.empty() ? nullptr : block(branches.else_branch);
    out.push_back(loop::if_then(condition, then_branch, else_branch));
  }

  void translate_statement(const schema::WhileStmt& loop, Statements& out) {
    const Expr condition = translate(context_, loop.condition.expr);
    out.push_back(loop::while_loop(condition, body_of(loop.condition, loop.body)));
  }

  void translate_statement(const schema::ReturnStmt& result, Statements& out) {
    if (result.value) out.push_back(loop::return_value(whole(*result.value, function_.result, false, out)));
    else out.push_back(loop::return_void());
  }

  void translate_statement(const schema::BreakStmt&, Statements& out) { out.push_back(loop::break_loop()); }

  void translate_statement(const schema::DeleteStmt& removal, Statements& out) {
    const std::string& name = removal.node.type.name;
    const NodeRecord& node = context_.structure.node(name);
    out.push_back(loop::evaluate(call(context_.functions.remove.at(name), memory_of_delete(context_.structure, node),
                                      {translate(context_, removal.node)}, {})));
  }

  void translate_statement(const schema::CallStmt& call, Statements& out) {
    out.push_back(loop::evaluate(translate(context_, call.call)));
  }

  Context context_;
  const schema::CodeFunction& function_;
  loop::NameSupply names_;
};

}  // namespace

loop::Function translate_function(const Structure& structure, const FunctionNames& functions,
                                  const schema::LevelProgram& program, const schema::CodeFunction& function,
                                  loop::NameSupply names) {
  return FunctionTranslator({structure, functions, program, {}}, function, std::move(names)).translate_all();
}

}  // namespace lacuna::dynamic
