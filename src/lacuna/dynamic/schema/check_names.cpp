#include <map>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/check.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

/// Everything that is defined outside nodes, by name: one name means one thing.
class Definitions {
 public:
  Definitions(const NodeSchema& schema, const Source& source) : schema_(schema), source_(source) {
    for (const Constant& constant : schema.constants) define(constant.name);
    for (const Name& supertype : schema.supertypes) define(supertype);
    for (const NodeType& node : schema.nodes) define(node.name);
  }

  void check(const NodeType& node) const {
    if (node.supertype) check_supertype(node);
    std::map<std::string_view, const Name*> fields;
    for (const Field& field : node.fields) {
      const auto [first, is_new] = fields.emplace(field.name.text, &field.name);
      if (!is_new) {
        fail_at(source_, field.name.where, "{} has a field {} already{}; take another name", node.name.text,
                field.name.text, on_line(source_, first->second->where));
      }
      if (const Constant* constant = find_constant(schema_, field.name.text)) {
        fail_at(source_, field.name.where, "{} is a constant{}, so that [{}] could mean either; take another name",
                field.name.text, on_line(source_, constant->name.where), field.name.text);
      }
      if (const auto* child = std::get_if<ChildField>(&field.type)) check_child(field, *child);
    }
  }

 private:
  void define(const Name& name) {
    const auto [first, is_new] = defined_.emplace(name.text, &name);
    if (is_new) return;
    fail_at(source_, name.where, "{} is defined twice, the first time{}; take another name", name.text,
            on_line(source_, first->second->where));
  }

  void check_supertype(const NodeType& node) const {
    const Name& name = *node.supertype;
    if (is_supertype(schema_, name.text)) return;
    if (name.text == node.name.text) {
      fail_at(source_, name.where, "{} cannot be its own supertype; leave out ': {}'", name.text, name.text);
    }
    if (find_node(schema_, name.text) != nullptr) {
      fail_at(source_, name.where,
              "{} is a node, and nodes extend supertypes only; write 'def supertype NAME' and let both nodes be of it",
              name.text);
    }
    std::vector<std::string_view> known;
    for (const Name& supertype : schema_.supertypes) known.push_back(supertype.text);
    const std::string advice = did_you_mean(name.text, known);
    fail_at(source_, name.where, "there is no supertype {}{}", name.text,
            advice.empty() ? fmt::format("; write 'def supertype {}' above the nodes", name.text) : advice);
  }

  void check_child(const Field& field, const ChildField& child) const {
    const std::string_view type = child.type.text;
    if (find_node(schema_, type) != nullptr || is_supertype(schema_, type)) return;
    if (find_constant(schema_, type) != nullptr) {
      fail_at(source_, child.type.where, "{} is a constant, not a type of fields", type);
    }
    std::vector<std::string_view> known{"elem", "size", "parent"};
    for (const Type metadata : metadata_types) known.push_back(type_name(metadata));
    for (const NodeType& node : schema_.nodes) known.push_back(node.name.text);
    for (const Name& supertype : schema_.supertypes) known.push_back(supertype.text);
    const std::string advice = did_you_mean(type, known);
    fail_at(source_, child.type.where,
            "{} is no type: the type of {} is elem, size, parent, bool, an integer such as "
            "int32, or a node or supertype that is defined in this file{}",
            type, field.name.text, advice);
  }

  const NodeSchema& schema_;
  const Source& source_;
  std::map<std::string_view, const Name*> defined_;
};

}  // namespace

void check_names(const NodeSchema& schema, const Source& source) {
  if (schema.nodes.empty()) fail_at(source, {}, "the schema has no node");
  const Definitions definitions(schema, source);
  for (const NodeType& node : schema.nodes) definitions.check(node);
}

}  // namespace lacuna::schema
