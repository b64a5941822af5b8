#include "lacuna/dynamic/code/check_types.h"

#include <fmt/core.h>
#include "lacuna/dynamic/schema/code_words.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

using Kind = CodeType::Kind;

struct TypeWord {
  std::string_view word;
  Kind kind;
};
constexpr TypeWord type_words[] = {{"int", Kind::Int},          {"bool", Kind::Bool},   {"coord", Kind::Coord},
                                   {"value", Kind::Value},      {"place", Kind::Place}, {"elem", Kind::Elem},
                                   {"elements", Kind::Elements}};

}  // namespace

std::string describe(const CodeType& type) {
  switch (type.kind) {
    case Kind::Void: return "nothing";
    case Kind::Null: return "null";
    case Kind::Node:
    case Kind::Supertype: return "a reference to " + type.name;
    default: break;
  }
  for (const TypeWord& each : type_words) {
    if (each.kind == type.kind) return std::string(each.word);
  }
  return {};
}

CodeType CodeScope::resolve(const Name& name) const {
  for (const TypeWord& each : type_words) {
    if (each.word == name.text) return {each.kind};
  }
  if (find_node(schema, name.text) != nullptr) return {Kind::Node, name.text};
  if (is_supertype(schema, name.text)) return {Kind::Supertype, name.text};
  if (metadata_type(name.text)) {
    fail_at(source, name.where, "variables are int, of 64 bits, whatever fields have; write int instead of {}",
            name.text);
  }
  std::vector<std::string_view> known;
  for (const TypeWord& each : type_words) known.push_back(each.word);
  for (const NodeType& node : schema.nodes) known.push_back(node.name.text);
  for (const Name& supertype : schema.supertypes) known.push_back(supertype.text);
  fail_at(source, name.where, "{} is no type: write int, bool, coord, value, place, or a node of this file{}",
          name.text, did_you_mean(name.text, known));
}

void CodeScope::declare(const Name& name, const CodeType& type) {
  for (const auto& block : blocks_) {
    const auto found = block.find(name.text);
    if (found == block.end()) continue;
    fail_at(source, name.where, "{} is a variable already{}; take another name", name.text,
            on_line(source, found->second.where));
  }
  const std::string_view taken = find_node(schema, name.text) != nullptr       ? "a node"
                                 : is_supertype(schema, name.text)             ? "a supertype"
                                 : find_constant(schema, name.text) != nullptr ? "a constant"
                                 : find_function(program, name.text) != nullptr || find_builtin(name.text) != nullptr
                                     ? "a function"
                                     : "";
  if (!taken.empty()) fail_at(source, name.where, "{} is {} already; take another name", name.text, taken);
  blocks_.back().emplace(name.text, Known{type, name.where});
}

const CodeType* CodeScope::find(const std::string& name) const {
  for (const auto& block : blocks_) {
    const auto found = block.find(name);
    if (found != block.end()) return &found->second.type;
  }
  return nullptr;
}

std::vector<std::string_view> CodeScope::names() const {
  std::vector<std::string_view> names;
  for (const auto& block : blocks_) {
    for (const auto& [name, known] : block) names.push_back(name);
  }
  for (const Constant& constant : schema.constants) names.push_back(constant.name.text);
  return names;
}

bool fits(const NodeSchema& schema, const CodeType& from, const CodeType& to) {
  if (from == to) return from.kind != Kind::Null && from.kind != Kind::Void;
  if (from.is_number() && to.is_number()) return true;
  if (from.kind == Kind::Null) return to.is_reference();
  if (from.kind != Kind::Node || to.kind != Kind::Supertype) return false;
  const NodeType* node = find_node(schema, from.name);
  return node != nullptr && node->supertype && node->supertype->text == to.name;
}

void require_fits(const CodeExpr& value, const CodeType& to, std::string_view what, const CodeScope& scope) {
  if (fits(scope.schema, value.type, to)) return;
  const bool narrows = value.type.kind == Kind::Supertype && to.kind == Kind::Node;
  const std::string advice = narrows ? fmt::format("; ask first: if (… is {} x)", to.name) : "";
  fail_at(scope.source, value.where, "{} is {}, and this is {}{}", what, describe(to), describe(value.type), advice);
}

}  // namespace lacuna::schema
