#include "lacuna/dynamic/schema/schema.h"

#include <algorithm>

namespace lacuna::schema {

const NodeType* find_node(const NodeSchema& schema, std::string_view name) {
  const auto found = std::find_if(schema.nodes.begin(), schema.nodes.end(),
                                  [&](const NodeType& node) { return node.name.text == name; });
  return found == schema.nodes.end() ? nullptr : &*found;
}

bool is_supertype(const NodeSchema& schema, std::string_view name) {
  return std::any_of(schema.supertypes.begin(), schema.supertypes.end(),
                     [&](const Name& supertype) { return supertype.text == name; });
}

const Constant* find_constant(const NodeSchema& schema, std::string_view name) {
  const auto found = std::find_if(schema.constants.begin(), schema.constants.end(),
                                  [&](const Constant& constant) { return constant.name.text == name; });
  return found == schema.constants.end() ? nullptr : &*found;
}

const Field* find_field(const NodeType& node, std::string_view name) {
  const auto found =
      std::find_if(node.fields.begin(), node.fields.end(), [&](const Field& field) { return field.name.text == name; });
  return found == node.fields.end() ? nullptr : &*found;
}

std::optional<ArraySize> array_of(const Field& field) {
  if (const auto* element = std::get_if<ElementField>(&field.type)) return element->array;
  if (const auto* child = std::get_if<ChildField>(&field.type)) return child->array;
  return std::nullopt;
}

bool is_nonempty(const Field& field) {
  if (const auto* element = std::get_if<ElementField>(&field.type)) return element->nonempty;
  if (const auto* child = std::get_if<ChildField>(&field.type)) return child->nonempty;
  return false;
}

std::optional<Type> differences_of(const Field& field) {
  const auto* element = std::get_if<ElementField>(&field.type);
  if (element == nullptr || !element->differences) return std::nullopt;
  return element->differences->type;
}

bool is_element(const Field& field) { return std::holds_alternative<ElementField>(field.type); }
bool is_child(const Field& field) { return std::holds_alternative<ChildField>(field.type); }

}  // namespace lacuna::schema
