#include "lacuna/dynamic/schema/properties.h"

#include <algorithm>

#include "lacuna/dynamic/schema/references.h"
#include "lacuna/support/check.h"

namespace lacuna::schema {
namespace {

template <typename Predicate>
std::vector<const Field*> fields_where(const NodeType& node, const Predicate& holds) {
  std::vector<const Field*> fields;
  for (const Field& field : node.fields) {
    if (holds(field)) fields.push_back(&field);
  }
  return fields;
}

std::size_t index_of(const NodeSchema& schema, const NodeType& node) {
  const auto found = std::find_if(schema.nodes.begin(), schema.nodes.end(),
                                  [&](const NodeType& each) { return each.name.text == node.name.text; });
  internal_check(found != schema.nodes.end(), "the node {} is of another schema", node.name.text);
  return static_cast<std::size_t>(found - schema.nodes.begin());
}

std::optional<std::string> find_order_gap(const NodeType& node) {
  const std::vector<SequenceEntry> sequence = sequence_of(node);
  if (sequence.empty())
    return fmt::format("{} has no seq that says in which order its elements and children are", node.name.text);
  for (const SequenceEntry& entry : sequence) {
    const Field* const field = find_field(node, entry.fields.front().text);
    if (entry.braces || field == nullptr || !array_of(*field)) continue;
    return fmt::format("the seq of {} says where {} stands, but not that its slots are in order: that is {{{}}}",
                       node.name.text, field->name.text, field->name.text);
  }
  return std::nullopt;
}

std::vector<const Field*> recursive_fields(const NodeSchema& schema, const NodeType& node,
                                           const std::vector<NodeSet>& closure) {
  const std::size_t self = index_of(schema, node);
  return fields_where(node, [&](const Field& field) {
    const auto* const child = std::get_if<ChildField>(&field.type);
    if (child == nullptr) return false;
    const auto targets = targets_of(schema, *child);
    return std::any_of(targets.begin(), targets.end(),
                       [&](std::size_t target) { return target == self || closure[target][self]; });
  });
}

Recursion recursion_through(const std::vector<const Field*>& fields) {
  if (fields.empty()) return Recursion::None;
  return fields.size() == 1 && !array_of(*fields.front()) ? Recursion::OneChild : Recursion::SeveralChildren;
}

}  // namespace

const NodeType& root_of(const NodeSchema& schema) {
  const std::vector<std::size_t> roots = unreferenced(schema);
  internal_check(roots.size() == 1, "a schema with {} roots", roots.size());
  return schema.nodes[roots.front()];
}

std::optional<std::string> find_order_gap(const NodeSchema& schema) {
  for (const NodeType& node : schema.nodes) {
    if (auto gap = find_order_gap(node)) return gap;
  }
  return std::nullopt;
}

bool is_ordered(const NodeSchema& schema) { return !find_order_gap(schema); }

std::vector<SequenceEntry> sequence_of(const NodeType& node) {
  if (!node.sequence.empty()) return node.sequence;
  const auto ordered = fields_where(node, [](const Field& field) { return is_element(field) || is_child(field); });
  if (ordered.size() != 1 || array_of(*ordered.front())) return {};
  return {SequenceEntry{{ordered.front()->name}, false}};
}

std::vector<std::vector<const Field*>> field_groups(const NodeType& node) {
  std::vector<std::vector<const Field*>> groups;
  for (const SequenceEntry& entry : sequence_of(node)) {
    groups.emplace_back();
    for (const Name& name : entry.fields) groups.back().push_back(find_field(node, name.text));
  }
  if (!groups.empty()) return groups;
  for (const Field& field : node.fields) {
    if (is_element(field) || is_child(field)) groups.push_back({&field});
  }
  return groups;
}

const Field& difference_base(const NodeType& node, const Field& field) {
  const Field* before = nullptr;
  for (const SequenceEntry& entry : node.sequence) {
    if (entry.fields.front().text == field.name.text) break;
    before = find_field(node, entry.fields.back().text);
  }
  internal_check(before != nullptr, "nothing comes before {}.{}", node.name.text, field.name.text);
  return *before;
}

std::vector<const Field*> element_fields(const NodeType& node) { return fields_where(node, is_element); }
std::vector<const Field*> child_fields(const NodeType& node) { return fields_where(node, is_child); }

Bounds slots_of(const NodeType& node, const Field& field) {
  const auto array = array_of(field);
  if (!array) return {1, 1};
  if (const auto* number = std::get_if<Number>(&*array)) return {number->value, number->value};
  const Field* const counter = find_field(node, std::get<Name>(*array).text);
  const auto* const size = counter == nullptr ? nullptr : std::get_if<SizeField>(&counter->type);
  if (size == nullptr || !size->range) return {0, std::nullopt};
  const SizeRange& range = *size->range;
  return {range.least.value, range.most ? std::optional(range.most->value) : std::nullopt};
}

std::int64_t fewest_filled(const NodeType& node, const Field& field) {
  return is_nonempty(field) ? slots_of(node, field).least : 0;
}

Bounds elements_of(const NodeType& node) {
  Bounds sum;
  for (const Field* field : element_fields(node)) {
    const Bounds slots = slots_of(node, *field);
    sum.least += fewest_filled(node, *field);
    sum.most = sum.most && slots.most ? std::optional(*sum.most + *slots.most) : std::nullopt;
  }
  return sum;
}

bool has_empty_slots(const NodeSchema& schema) {
  return std::any_of(schema.nodes.begin(), schema.nodes.end(), [](const NodeType& node) {
    return std::any_of(node.fields.begin(), node.fields.end(),
                       [](const Field& field) { return is_element(field) && !is_nonempty(field); });
  });
}

std::optional<std::int64_t> capacity_of(const NodeType& node, const Field& field) { return slots_of(node, field).most; }

std::vector<const Field*> recursive_fields(const NodeSchema& schema, const NodeType& node) {
  return recursive_fields(schema, node, closure_of(schema));
}

Recursion recursion_of(const NodeSchema& schema, const NodeType& node) {
  return recursion_through(recursive_fields(schema, node));
}

Recursion recursion_of(const NodeSchema& schema) {
  const std::vector<NodeSet> closure = closure_of(schema);
  Recursion strongest = Recursion::None;
  for (const NodeType& node : schema.nodes) {
    strongest = std::max(strongest, recursion_through(recursive_fields(schema, node, closure)));
  }
  return strongest;
}

}  // namespace lacuna::schema
