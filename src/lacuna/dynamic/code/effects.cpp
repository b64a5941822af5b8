#include "lacuna/dynamic/code/check_types.h"
#include "lacuna/dynamic/code/walk.h"
#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::schema {
namespace {

/// The sizes without an upper bound of a node's arrays that lie elsewhere.
std::set<std::string> unbounded_sizes(const NodeType& node) {
  std::set<std::string> sizes;
  for (const Field& field : node.fields) {
    const auto array = array_of(field);
    if (array && !capacity_of(node, field)) sizes.insert(node.name.text + "." + std::get<Name>(*array).text);
  }
  return sizes;
}

class EffectFinder {
 public:
  EffectFinder(const LevelProgram& program, const NodeSchema& schema) : program_(program), schema_(schema) {}

  Effects find(const CodeFunction& function) {
    effects_ = function.effects;
    for_each(function.body, [&](const CodeStmt& statement) {
      for (const CodeExpr* each : expressions_of(statement)) {
        for_each(*each, [&](const CodeExpr& expr) { look_at(expr); });
      }
      if (const auto* assignment = std::get_if<AssignStmt>(&statement.kind)) assigned(assignment->target);
      if (const auto* removal = std::get_if<DeleteStmt>(&statement.kind)) made(removal->node.type.name, true);
    });
    return effects_;
  }

 private:
  void look_at(const CodeExpr& expr) {
    if (const auto* access = std::get_if<Access>(&expr.kind)) {
      if (!access->node.empty()) effects_.nodes.insert(access->node);
      if (access->kind == MemberKind::State) effects_.state = true;
      const bool lies_elsewhere = !access->node.empty() && is_elsewhere(*access);
      if (lies_elsewhere) effects_.arrays.insert(size_name(*access));
    }
    if (const auto* node = std::get_if<NewNode>(&expr.kind)) made(node->node.text, false);
    const auto* call = std::get_if<CallExpr>(&expr.kind);
    if (call == nullptr || call->builtin != Builtin::None) return;
    const Effects& callee = find_function(program_, call->function.text)->effects;
    effects_.nodes.insert(callee.nodes.begin(), callee.nodes.end());
    effects_.arrays.insert(callee.arrays.begin(), callee.arrays.end());
    effects_.memory = effects_.memory || callee.memory;
    effects_.state = effects_.state || callee.state;
    effects_.changes = effects_.changes || callee.changes;
  }

  const Field& field_of(const Access& access) const {
    return *find_field(*find_node(schema_, access.node), access.field);
  }
  bool is_elsewhere(const Access& access) const {
    const Field& field = field_of(access);
    return array_of(field) && !capacity_of(*find_node(schema_, access.node), field);
  }
  std::string size_name(const Access& access) const {
    return access.node + "." + std::get<Name>(*array_of(field_of(access))).text;
  }

  void made(const std::string& node, bool deleted) {
    effects_.nodes.insert(node);
    effects_.memory = effects_.changes = true;
    if (deleted) effects_.arrays.merge(unbounded_sizes(*find_node(schema_, node)));
  }

  void assigned(const CodeExpr& target) {
    const auto* access = std::get_if<Access>(&target.kind);
    if (access == nullptr) return;
    effects_.changes = true;
    if (access->kind != MemberKind::Size) return;
    const std::string size = access->node + "." + access->field;
    if (!unbounded_sizes(*find_node(schema_, access->node)).contains(size)) return;
    effects_.arrays.insert(size);
    effects_.memory = true;
  }

  const LevelProgram& program_;
  const NodeSchema& schema_;
  Effects effects_;
};

bool changes(const CodeExpr& expr, const LevelProgram& program) {
  if (std::holds_alternative<NewNode>(expr.kind)) return true;
  const auto* call = std::get_if<CallExpr>(&expr.kind);
  return call != nullptr && call->builtin == Builtin::None &&
         find_function(program, call->function.text)->effects.changes;
}

}  // namespace

void find_effects(LevelProgram& program, const NodeSchema& schema) {
  for (bool more = true; more;) {
    more = false;
    for (CodeFunction& function : program.functions) {
      Effects effects = EffectFinder(program, schema).find(function);
      if (effects == function.effects) continue;
      function.effects = std::move(effects);
      more = true;
    }
  }
}

void check_calls_stand_alone(const LevelProgram& program, const Source& source) {
  const auto refuse = [&](const CodeExpr& expr) {
    if (!changes(expr, program)) return;
    fail_at(source, expr.where, "this changes nodes, so it stands alone: let x = …; and then x");
  };
  for (const CodeFunction& function : program.functions) {
    for_each(function.body, [&](const CodeStmt& statement) {
      const bool branches = !blocks_of(statement).empty() || std::holds_alternative<DeleteStmt>(statement.kind);
      const auto* assignment = std::get_if<AssignStmt>(&statement.kind);
      for (const CodeExpr* each : expressions_of(statement)) {
        const bool alone =
            !branches && (assignment == nullptr || (each == &assignment->value && assignment->op == AssignOp::Set));
        for_each(*each, [&](const CodeExpr& expr) {
          if (&expr != each || !alone) refuse(expr);
        });
      }
    });
  }
}

}  // namespace lacuna::schema
