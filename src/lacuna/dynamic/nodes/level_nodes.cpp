#include "lacuna/dynamic/nodes/level_nodes.h"

#include <utility>

#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/check.h"
#include "lacuna/support/scalar.h"

namespace lacuna::nodes {
namespace {

std::int64_t load_integer(Type type, const std::byte* at) { return Scalar::load(type, at).as<std::int64_t>(); }

}  // namespace

LevelNodes::LevelNodes(NodeArrays memory) : layout_(std::move(memory.layout)), memory_(std::move(memory.arrays)) {
  internal_check(memory_.size() == layout_.arrays, "a level has {} arrays of nodes instead of {}", memory_.size(),
                 layout_.arrays);
  for (const schema::NodeLayout& node : layout_.nodes) plans_.push_back(plan_of(node));
  root_ = static_cast<std::size_t>(&layout_.root() - layout_.nodes.data());
}

SlotPlace LevelNodes::place_of(const schema::NodeLayout& node, const std::string& member) const {
  const auto size = node.sizes.find(member);
  if (size == node.sizes.end()) {
    const schema::MemoryField& field = node.record.at(member);
    return {false, node.array, field.offset, node.record.size, size_of(field.slot.type), 0};
  }
  const schema::PoolLayout& pool = layout_.pool(node.node->name.text, size->second);
  const schema::PoolLayout::Member& array = pool.members.at(member);
  return {true,      array.array, node.record.at(pool.position).offset, node.record.size, size_of(array.slot.type),
          node.array};
}

FieldPlan LevelNodes::plan_of(const schema::NodeLayout& node, const schema::Field& field) const {
  FieldPlan plan;
  plan.element = schema::is_element(field);
  plan.nonempty = schema::is_nonempty(field);
  if (plan.element) {
    const auto differences = schema::differences_of(field);
    plan.differences = differences.has_value();
    plan.coordinate = differences.value_or(layout_.types.coordinate);
    plan.first = place_of(node, field.name.text + (plan.differences ? "d" : "c"));
    plan.value = place_of(node, field.name.text + "v");
    return plan;
  }
  plan.first = place_of(node, field.name.text);
  const std::string& target = std::get<schema::ChildField>(field.type).type.text;
  const bool supertype = is_supertype(layout_.schema, target);
  if (supertype) plan.tag_bits = schema::tag_bits(layout_.schema, target);
  for (std::size_t k = 0; k < layout_.nodes.size(); ++k) {
    const schema::NodeType& type = *layout_.nodes[k].node;
    if (supertype ? type.supertype && type.supertype->text == target : type.name.text == target)
      plan.targets.push_back(k);
  }
  return plan;
}

GroupPlan LevelNodes::plan_of(const schema::NodeLayout& node, const std::vector<const schema::Field*>& fields) const {
  GroupPlan group;
  for (const schema::Field* field : fields) group.fields.push_back(plan_of(node, *field));
  const auto array = schema::array_of(*fields.front());
  if (!array) return group;
  if (const auto* size = std::get_if<schema::Name>(&*array)) {
    group.counted = true;
    group.size = place_of(node, size->text);
  } else {
    group.slots = std::get<schema::Number>(*array).value;
  }
  return group;
}

NodePlan LevelNodes::plan_of(const schema::NodeLayout& node) const {
  NodePlan plan;
  plan.layout = &node;
  for (const std::vector<const schema::Field*>& fields : schema::field_groups(*node.node))
    plan.groups.push_back(plan_of(node, fields));
  return plan;
}

void LevelNodes::fail_outside(std::size_t array, std::int64_t offset) const {
  throw InternalError(
      fmt::format("internal error: byte {} of an array of nodes that has {}", offset, std::ssize(memory_[array])));
}

std::int64_t LevelNodes::difference(Type type, const std::byte* at) { return load_integer(type, at); }

std::int64_t LevelNodes::child(const std::byte* value) const {
  return layout_.types.value == Type::UInt32 ? load<std::uint32_t>(value) : load<std::int64_t>(value);
}

std::int64_t LevelNodes::memory(const std::string& field, std::int64_t slot) const {
  const schema::MemoryField& at = layout_.memory.at(field);
  const std::int64_t bytes = size_of(at.slot.type);
  return load_integer(at.slot.type, bytes_at(0, at.offset + slot * bytes, bytes));
}

std::uint32_t LevelNodes::link(const schema::PoolLayout& pool, std::int64_t at) const {
  const schema::PoolLayout::Member& array = pool.link();
  const std::int64_t bytes = size_of(array.slot.type);
  std::uint32_t link = 0;
  for (std::int64_t k = 0; k < pool.link_slots(); ++k) {
    const std::int64_t part = load_integer(array.slot.type, bytes_at(array.array, (at + k) * bytes, bytes));
    link |= static_cast<std::uint32_t>(part) << (8 * bytes * k);
  }
  return link;
}

std::int64_t LevelNodes::number(std::size_t type, const std::string& field, std::uint32_t node) const {
  return number(type, layout_.nodes[type].record.at(field), node);
}

std::int64_t LevelNodes::number(std::size_t type, const schema::MemoryField& at, std::uint32_t node) const {
  const schema::NodeLayout& of = layout_.nodes[type];
  const std::int64_t record = static_cast<std::int64_t>(node) * of.record.size;
  return load_integer(at.slot.type, bytes_at(of.array, record + at.offset, size_of(at.slot.type)));
}

}  // namespace lacuna::nodes
