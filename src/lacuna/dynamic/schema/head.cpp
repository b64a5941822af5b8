#include "lacuna/dynamic/schema/head.h"

#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/check.h"

namespace lacuna::schema {
namespace {

bool is_defined(const NodeSchema& schema, const std::string& name) {
  return find_node(schema, name) != nullptr || is_supertype(schema, name) || find_constant(schema, name) != nullptr;
}

NodeType head_of(const NodeSchema& schema, const NodeType& root) {
  NodeType head;
  head.name.text = root.name.text + "_head";
  while (is_defined(schema, head.name.text)) head.name.text += '_';
  Field field;
  field.name.text = "root";
  field.type = ChildField{{root.name.text, {}}, std::nullopt, true};
  head.fields.push_back(std::move(field));
  return head;
}

}  // namespace

NodeSchema stored_nodes(const NodeSchema& written) {
  NodeSchema stored = written;
  const NodeType& root = root_of(written);
  if (written.has_head || recursive_fields(written, root).empty()) return stored;
  stored.nodes.insert(stored.nodes.begin(), head_of(written, root));
  stored.has_head = true;
  return stored;
}

const NodeType& given_root(const NodeSchema& stored) {
  if (!stored.has_head) return root_of(stored);
  return *find_node(stored, std::get<ChildField>(field_of_head(stored).type).type.text);
}

const Field& field_of_head(const NodeSchema& stored) {
  internal_check(stored.has_head, "there is no head");
  return root_of(stored).fields.front();
}

}  // namespace lacuna::schema
