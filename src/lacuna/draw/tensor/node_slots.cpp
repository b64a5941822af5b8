#include "lacuna/draw/tensor/node_slots.h"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "lacuna/dynamic/nodes/element_walk.h"
#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::picture {
namespace {

/// More slots side by side that hold nothing are drawn as one.
constexpr std::int64_t most_alike = 3;

/// Whether the node is a link of a list, whose next one goes beside it.
bool goes_beside(const schema::NodeSchema& schema, const schema::NodeType& node, const schema::Field& field) {
  if (schema::array_of(field)) return false;
  const std::vector<const schema::Field*> back = schema::recursive_fields(schema, node);
  if (!back.empty()) return back.size() == 1 && back.front() == &field;
  return schema::recursion_of(schema) != schema::Recursion::SeveralChildren && schema::child_fields(node).size() == 1;
}

}  // namespace

void NodeCollector::add(std::int64_t root, const std::string& above) {
  Structure structure;
  structure.first = level_.nodes.size();
  add_node(nodes_.root_type(), static_cast<std::uint32_t>(root), nullptr);
  level_.nodes[structure.first].above = above;
  while (!waiting_.empty()) {
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    follow(next);
  }
  structure.count = level_.nodes.size() - structure.first;
  if (!last_) add_positions(root, structure);
  level_.structures.push_back(std::move(structure));
}

void NodeCollector::follow(const Waiting& next) {
  std::vector<std::int64_t>& known = drawn_[next.type];
  if (known.size() <= next.node) known.resize(next.node + std::size_t{1}, -1);
  // A node that several refer to is there once.
  if (known[next.node] < 0 && room_ > 0)
    known[next.node] = static_cast<std::int64_t>(add_node(next.type, next.node, &next));
  Slot& from = level_.nodes[next.from].slots[next.slot];
  from.leads_to = known[next.node];
  if (from.leads_to < 0) from.kind = Slot::Kind::Elsewhere;
}

/// In the order of the schema, those of elements that are shown.
void NodeCollector::add_positions(std::int64_t root, Structure& structure) {
  std::set<std::int64_t> shown;
  for (std::size_t n = structure.first; n < structure.first + structure.count; ++n)
    for (const Slot& slot : level_.nodes[n].slots)
      if (slot.kind == Slot::Kind::Element) shown.insert(slot.leads_to);
  nodes::ElementWalk walk(nodes_);
  for (walk.start(root); structure.positions.size() < shown.size() && walk.next();) {
    const std::int64_t position = nodes_.child(walk.value());
    if (shown.contains(position)) structure.positions.push_back(position);
  }
}

std::size_t NodeCollector::add_node(std::size_t type, std::uint32_t node, const Waiting* from) {
  const std::size_t self = level_.nodes.size();
  --room_;
  level_.nodes.emplace_back();
  origins_.emplace_back(type, node);
  level_.nodes[self].type = type_of(type).name.text;
  level_.nodes[self].index = node;
  level_.nodes[self].facts = facts_of(type, node, from);
  found_.clear();
  const auto groups = schema::field_groups(type_of(type));
  for (std::size_t g = 0; g < groups.size(); ++g) add_group(nodes_.plans()[type].groups[g], groups[g], node);
  for (Waiting& each : found_) each.from = self;
  // The first reference is followed first.
  waiting_.insert(waiting_.end(), found_.rbegin(), found_.rend());
  return self;
}

void NodeCollector::add_group(const nodes::GroupPlan& group, const std::vector<const schema::Field*>& fields,
                              std::uint32_t node) {
  const std::int64_t used = nodes_.slots_of(group, node);
  for (std::int64_t slot = 0; slot < used; ++slot) {
    if (slot > 0 && room_ <= 0) return add_nothing(Slot::Kind::More, "", used - slot);
    for (std::size_t f = 0; f < fields.size(); ++f) add_slot(group.fields[f], *fields[f], node, slot);
  }
  if (!group.counted) return;
  const schema::NodeType& type = type_of(origins_.back().first);
  const auto capacity = schema::capacity_of(type, *fields.front());
  if (capacity && *capacity > used) add_free(fields, *capacity - used);
}

void NodeCollector::add_slot(const nodes::FieldPlan& plan, const schema::Field& field, std::uint32_t node,
                             std::int64_t slot) {
  const std::string name = slot == 0 ? field.name.text : "";
  std::vector<Slot>& slots = level_.nodes.back().slots;
  Slot made;
  made.name = name;
  if (plan.element) {
    const std::int64_t coordinate = nodes_.coordinate(plan, node, slot, before_);
    before_ = coordinate;
    if (coordinate < 0 && !plan.nonempty) return add_nothing(Slot::Kind::Empty, name, 1);
    made.coordinate = coordinate;
    --room_;
    const std::byte* const value = nodes_.value(plan, node, slot);
    if (last_) made.value = value_text(Scalar::load(nodes_.layout().types.value, value));
    else made.leads_to = nodes_.child(value);
    slots.push_back(std::move(made));
    return;
  }
  const std::uint32_t reference = nodes_.reference(plan, node, slot);
  const std::uint32_t tag = reference & ((1U << plan.tag_bits) - 1);
  const bool null = reference == schema::null_reference || tag >= plan.targets.size();
  made.kind = null ? Slot::Kind::Null : Slot::Kind::Reference;
  if (!null) {
    made.label = schema::array_of(field) ? fmt::format("{}[{}]", field.name.text, slot) : field.name.text;
    made.beside = goes_beside(nodes_.layout().schema, type_of(origins_.back().first), field);
    found_.push_back({plan.targets[tag], reference >> plan.tag_bits, 0, slots.size()});
  }
  slots.push_back(std::move(made));
}

void NodeCollector::add_free(const std::vector<const schema::Field*>& fields, std::int64_t count) {
  const bool begins = level_.nodes.back().slots.empty() ||
                      std::none_of(level_.nodes.back().slots.begin(), level_.nodes.back().slots.end(),
                                   [&](const Slot& slot) { return slot.name == fields.front()->name.text; });
  const std::string name = begins ? fields.front()->name.text : "";
  const std::int64_t slots = count * static_cast<std::int64_t>(fields.size());
  if (slots > most_alike) return add_nothing(Slot::Kind::Free, name, slots);
  for (std::int64_t k = 0; k < slots; ++k) add_nothing(Slot::Kind::Free, k == 0 ? name : "", 1);
}

/// Joins long runs of slots of a kind.
void NodeCollector::add_nothing(Slot::Kind kind, const std::string& name, std::int64_t count) {
  std::vector<Slot>& slots = level_.nodes.back().slots;
  Slot made;
  made.kind = kind;
  made.name = name;
  made.count = count;
  std::size_t begin = slots.size();
  while (name.empty() && begin > 0 && slots[begin - 1].kind == kind) made.count += slots[--begin].count;
  if (begin < slots.size() && made.count > most_alike) {
    made.name = slots[begin].name;
    slots.resize(begin);
  } else {
    made.count = count;
  }
  slots.push_back(std::move(made));
}

std::string NodeCollector::facts_of(std::size_t type, std::uint32_t node, const Waiting* from) const {
  std::vector<std::string> facts;
  for (const schema::Field& field : type_of(type).fields) {
    const std::string& name = field.name.text;
    const auto* const metadata = std::get_if<schema::MetadataField>(&field.type);
    if (std::holds_alternative<schema::ParentField>(field.type)) {
      facts.push_back(parent_text(type, name, node, from));
    } else if (metadata != nullptr && metadata->type == Type::Bool) {
      facts.push_back(fmt::format("{} = {}", name, nodes_.number(type, name, node) != 0));
    } else if (metadata != nullptr || std::holds_alternative<schema::SizeField>(field.type)) {
      facts.push_back(fmt::format("{} = {}", name, nodes_.number(type, name, node)));
    }
  }
  return fmt::format("{}", fmt::join(facts, ", "));
}

std::string NodeCollector::parent_text(std::size_t type, const std::string& field, std::uint32_t node,
                                       const Waiting* from) const {
  const auto reference = static_cast<std::uint32_t>(nodes_.number(type, field, node));
  if (reference == schema::null_reference) return field + " = null";
  const auto& supertype = type_of(type).supertype;
  const int bits = supertype ? schema::tag_bits(nodes_.layout().schema, supertype->text) : 0;
  const bool above = from != nullptr && origins_[from->from].second == reference >> bits;
  return field + (above ? " = above" : fmt::format(" = {}", reference >> bits));
}

}  // namespace lacuna::picture
