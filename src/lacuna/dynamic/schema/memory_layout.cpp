#include "lacuna/dynamic/schema/memory_layout.h"

#include <algorithm>

#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/support/check.h"

namespace lacuna::schema {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

SlotType slot_of(const Member& member, const ElementTypes& types) {
  if (std::holds_alternative<CoordinateType>(member.type)) return {types.coordinate, {}, false};
  if (std::holds_alternative<ValueType>(member.type)) return {types.value, {}, true};
  if (const auto* own = std::get_if<Type>(&member.type)) return {*own, {}, false};
  return {Type::UInt32, std::get<NodeReference>(member.type).target, false};
}

/// Whether the 32 bits of a reference fit.
bool can_link(const SlotType& slot) { return is_integer(slot.type) && size_of(slot.type) >= 4; }

bool is_unsigned(const SlotType& slot) {
  return slot.type == Type::UInt8 || slot.type == Type::UInt16 || slot.type == Type::UInt32;
}

}  // namespace

int tag_bits(const NodeSchema& schema, std::string_view supertype) {
  const auto nodes = std::count_if(schema.nodes.begin(), schema.nodes.end(), [&](const NodeType& each) {
    return each.supertype && each.supertype->text == supertype;
  });
  int bits = 0;
  while ((std::int64_t{1} << bits) < nodes + 1) ++bits;
  return bits;
}

const MemoryField* MemoryRecord::find(std::string_view name) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& each) { return each.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

const MemoryField& MemoryRecord::at(std::string_view name) const {
  const MemoryField* found = find(name);
  internal_check(found != nullptr, "a record has no field {}", name);
  return *found;
}

std::string MemoryRecord::add(std::string name, SlotType slot, std::int64_t count) {
  while (find(name) != nullptr) name += '_';
  // A complex number is two floats in a row and is aligned as one of them.
  const std::int64_t alignment = size_of(real_part_type(slot.type));
  const std::int64_t offset = rounded_up(end_, alignment);
  end_ = offset + size_of(slot.type) * std::max<std::int64_t>(count, 1);
  alignment_ = std::max(alignment_, alignment);
  size = rounded_up(end_, alignment_);
  fields.push_back({name, std::move(slot), count, offset});
  return name;
}

MemoryLayout::MemoryLayout(const NodeSchema& of_schema, ElementTypes of_types) : schema(of_schema), types(of_types) {
  full = memory.add("full", {Type::Bool, {}, false});
  largest = memory.add("largest", {Type::UInt32, {}, false});
  nodes.reserve(schema.nodes.size());
  std::map<std::string, std::uint32_t> tags;
  for (const NodeType& each : schema.nodes) add_node(each, each.supertype ? tags[each.supertype->text]++ : 0);
  for (NodeLayout& each : nodes) each.array = arrays++;
  for (PoolLayout& pool : pools) {
    for (auto& [name, member] : pool.members) member.array = arrays++;
  }
}

void MemoryLayout::add_node(const NodeType& node, std::uint32_t tag) {
  const SlotType index{Type::UInt32, {}, false};
  const std::string& name = node.name.text;
  NodeLayout& made = nodes.emplace_back();
  made.node = &node;
  made.tag = tag;
  made.in_use = {memory.add(name + "_next", index), memory.add(name + "_limit", index),
                 memory.add(name + "_free", index)};
  // Sizes and references lie together, before arrays that are seldom full: fewer cache lines are touched.
  std::vector<Member> members = members_of(node);
  std::stable_partition(members.begin(), members.end(),
                        [&](const Member& member) { return !array_of(*find_field(node, member.field)).has_value(); });
  for (const Member& member : members) {
    SlotType slot = slot_of(member, types);
    if (member.storage == Storage::Elsewhere) {
      add_elsewhere(made, member, slot);
      continue;
    }
    const bool array = array_of(*find_field(node, member.field)).has_value();
    const std::string added = made.record.add(member.name, std::move(slot), array ? member.capacity : 0);
    internal_check(added == member.name, "{}.{} has the name of another field", name, member.name);
  }
  const auto link = std::find_if(made.record.fields.begin(), made.record.fields.end(),
                                 [](const MemoryField& field) { return can_link(field.slot); });
  internal_check(link != made.record.fields.end(), "the node {} has no field that could link it", name);
  made.link = link->name;
}

void MemoryLayout::add_elsewhere(NodeLayout& node, const Member& member, const SlotType& slot) {
  const SlotType index{Type::UInt32, {}, false};
  const std::string& name = node.node->name.text;
  node.sizes[member.name] = member.size;
  auto found = std::find_if(pools.begin(), pools.end(),
                            [&](const PoolLayout& pool) { return pool.node == name && pool.size == member.size; });
  if (found == pools.end()) {
    const std::string pool = name + "_" + member.size;
    // No member may be called like it, whichever comes first.
    std::string position = member.size + "_at";
    const std::vector<Member> members = members_of(*node.node);
    while (std::any_of(members.begin(), members.end(), [&](const Member& each) { return each.name == position; })) {
      position += '_';
    }
    PoolLayout made{name, member.size, node.record.add(position, index), {}, {}};
    made.in_use = {memory.add(pool + "_next", index), memory.add(pool + "_limit", index),
                   memory.add(pool + "_free", index, segment_classes)};
    pools.push_back(std::move(made));
    found = pools.end() - 1;
  }
  found->members[member.name] = {slot, 0};
}

const PoolLayout::Member& PoolLayout::link() const {
  auto found =
      std::find_if(members.begin(), members.end(), [](const auto& each) { return can_link(each.second.slot); });
  // Every array of a pool has references, coordinates or their differences beside it, or is one.
  if (found == members.end())
    found =
        std::find_if(members.begin(), members.end(), [](const auto& each) { return is_unsigned(each.second.slot); });
  internal_check(found != members.end(), "no array of {}.{} could link segments", node, size);
  return found->second;
}

std::int64_t PoolLayout::link_slots() const { return std::max<std::int64_t>(1, 4 / size_of(link().slot.type)); }

const NodeLayout& MemoryLayout::node(std::string_view name) const {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const NodeLayout& each) { return each.node->name.text == name; });
  internal_check(found != nodes.end(), "there is no node {}", name);
  return *found;
}

const NodeLayout& MemoryLayout::root() const { return node(root_of(schema).name.text); }

const PoolLayout& MemoryLayout::pool(std::string_view node, std::string_view size) const {
  const auto found = std::find_if(pools.begin(), pools.end(),
                                  [&](const PoolLayout& each) { return each.node == node && each.size == size; });
  internal_check(found != pools.end(), "there is no pool for {}.{}", node, size);
  return *found;
}

Type MemoryLayout::array_type(std::size_t array) const {
  for (const PoolLayout& pool : pools) {
    for (const auto& [name, member] : pool.members) {
      if (member.array == array) return member.slot.type;
    }
  }
  internal_check(array < arrays, "a level's memory has no array {}", array);
  return Type::UInt8;
}

std::int64_t MemoryLayout::element_size(std::size_t array) const {
  if (array == 0) return memory.size;
  return array <= nodes.size() ? nodes[array - 1].record.size : size_of(array_type(array));
}

}  // namespace lacuna::schema
