#include "lacuna/dynamic/lower/dynamic_level.h"

#include <algorithm>
#include <set>

#include "lacuna/dynamic/code/walk.h"
#include "lacuna/dynamic/lower/translate.h"
#include "lacuna/dynamic/schema/head.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/loop/walk.h"
#include "lacuna/support/check.h"

namespace lacuna::dynamic {
namespace {

/// Counts the nodes that a function makes.
class NodeCounter {
 public:
  explicit NodeCounter(const schema::LevelProgram& program) : program_(program) {}

  std::int64_t count(const schema::CodeFunction& function) {
    const auto known = counted_.find(function.name.text);
    if (known != counted_.end()) return known->second;
    if (!active_.insert(function.name.text).second) return function.effects.memory ? most_nodes : 0;
    const std::int64_t counted = count(function.body, 1);
    active_.erase(function.name.text);
    return counted_[function.name.text] = std::min(counted, most_nodes);
  }

 private:
  std::int64_t count(const schema::CodeBlock& block, std::int64_t times) {
    std::int64_t sum = 0;
    for (const schema::CodeStmt& statement : block) {
      const bool loop = std::holds_alternative<schema::WhileStmt>(statement.kind);
      for (const schema::CodeExpr* each : schema::expressions_of(statement)) {
        schema::for_each(*each, [&](const schema::CodeExpr& expr) { sum += times * count(expr); });
      }
      for (const schema::CodeBlock* inside : schema::blocks_of(statement)) {
        sum += count(*inside, loop ? most_nodes : times);
      }
      sum = std::min(sum, most_nodes);
    }
    return sum;
  }

  std::int64_t count(const schema::CodeExpr& expr) {
    if (std::holds_alternative<schema::NewNode>(expr.kind)) return 1;
    const auto* call = std::get_if<schema::CallExpr>(&expr.kind);
    if (call == nullptr || call->builtin != schema::Builtin::None) return 0;
    return count(*find_function(program_, call->function.text));
  }

  const schema::LevelProgram& program_;
  std::set<std::string> active_;  // calls that are being counted
  std::map<std::string, std::int64_t> counted_;
};

/// The functions that are reached from those of the level; others are helpers that nobody needs.
std::vector<loop::Function> reached(std::vector<loop::Function> all, const std::set<std::string>& roots) {
  std::set<std::string> known = roots;
  for (bool more = true; more;) {
    more = false;
    for (const loop::Function& each : all) {
      if (!known.contains(each.name)) continue;
      loop::for_each_expression(each.body, [&](const loop::Expr& expr) {
        const auto* call = std::get_if<loop::Invoke>(&expr.node().kind);
        if (call != nullptr) more = known.insert(call->function).second || more;
      });
    }
  }
  std::erase_if(all, [&](const loop::Function& each) { return !known.contains(each.name); });
  return all;
}

}  // namespace

DynamicLevel::DynamicLevel(const schema::NodeSchema& schema, const schema::LevelProgram& program, LevelTypes types,
                           loop::NameSupply& names)
    : program_(program), structure_(schema, program, std::move(types), names), names_(structure_, program, names) {
  if (schema::is_ordered(schema)) iterator_.emplace(structure_, names);
}

const Iterator& DynamicLevel::iterator() const {
  internal_check(iterator_.has_value(), "a level without order has no iterator");
  return *iterator_;
}

std::vector<loop::Function> DynamicLevel::functions(const loop::NameSupply& names) const {
  const std::string& root = structure_.root().node->name.text;
  std::set<std::string> roots = {names_.make.at(root), names_.clear.at(root)};
  std::vector<loop::Function> all;
  for (auto* make : {search_functions, array_functions, node_functions}) {
    for (loop::Function& each : make(structure_, names_)) all.push_back(std::move(each));
  }
  for (const schema::CodeFunction& each : program_.functions) {
    all.push_back(translate_function(structure_, names_, program_, each, names));
    roots.insert(all.back().name);
  }
  if (iterator_) {
    for (loop::Function& each : iterator_->functions(names_, names)) {
      roots.insert(each.name);
      all.push_back(std::move(each));
    }
  }
  return reached(std::move(all), roots);
}

std::vector<std::shared_ptr<const loop::Record>> DynamicLevel::records() const {
  std::vector<std::shared_ptr<const loop::Record>> all = structure_.records();
  if (iterator_) all.push_back(iterator_->record());
  return all;
}

loop::Expr DynamicLevel::call(const std::string& function, std::vector<loop::Expr> arguments) const {
  const schema::CodeFunction* callee = find_function(program_, function);
  internal_check(callee != nullptr, "the level has no function {}", function);
  if (takes_root(*callee)) arguments.front() = given_root(arguments.front());
  return dynamic::call(names_.own.at(function), structure_.memory_of(callee->effects), std::move(arguments),
                       structure_.type_of(callee->result));
}

bool DynamicLevel::takes_root(const schema::CodeFunction& function) const {
  return !function.parameters.empty() &&
         function.parameters.front().type ==
             schema::CodeType{schema::CodeType::Kind::Node, schema::given_root(structure_.schema).name.text};
}

/// What functions get of a root.
loop::Expr DynamicLevel::given_root(const loop::Expr& root) const {
  if (!structure_.schema.has_head) return root;
  const NodeRecord& head = structure_.root();
  const std::string& field = head.fields.at(schema::field_of_head(structure_.schema).name.text);
  return loop::load(head.arena, root, {field, {}});
}

loop::IrType DynamicLevel::root_type() const { return loop::ref_type(structure_.root().record); }

loop::Expr DynamicLevel::new_root() const {
  const NodeRecord& root = structure_.root();
  return dynamic::call(names_.make.at(root.node->name.text), memory_of_new(structure_, root), {}, root_type());
}

loop::Stmt DynamicLevel::clear_root(const loop::Expr& root) const {
  const NodeRecord& node = structure_.root();
  return loop::evaluate(
      dynamic::call(names_.clear.at(node.node->name.text), memory_of_clear(structure_, node), {root}, {}));
}

std::int64_t DynamicLevel::nodes_of(const std::string& function) const {
  const schema::CodeFunction* callee = find_function(program_, function);
  return callee == nullptr ? 0 : NodeCounter(program_).count(*callee);
}

std::int64_t DynamicLevel::smallest_segment() const {
  std::int64_t slots = 1;
  for (const schema::PoolLayout& each : structure_.layout.pools) slots = std::max(slots, each.link_slots());
  return slots;
}

loop::Expr DynamicLevel::most_slots() const {
  const loop::Expr largest = structure_.memory_field(structure_.largest);
  std::int64_t least = 0;
  while ((std::int64_t{1} << least) < smallest_segment()) ++least;
  return loop::value_op(loop::BinaryOp::ShiftLeft, most_segments, least == 0 ? largest : loop::max(largest, least));
}

}  // namespace lacuna::dynamic
