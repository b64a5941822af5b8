#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lacuna/dynamic/schema/memory_layout.h"
#include "lacuna/support/type.h"

// The nodes of a dynamic level, as the schema and its layout say, read without generated code.
namespace lacuna::nodes {

/// Where the slots of a field are, seen from a node.
struct SlotPlace {
  bool elsewhere = false;          // in a pool's array, from the position on that the node says
  std::size_t array = 0;           // of LevelStorage::nodes
  std::int64_t offset = 0;         // in the record, of the first slot; elsewhere, of the position
  std::int64_t node_bytes = 0;     // of the record
  std::int64_t stride = 0;         // from one slot to the next
  std::size_t position_array = 0;  // elsewhere: the arena that holds the position
};

/// An element or child field.
struct FieldPlan {
  bool element = false;
  bool nonempty = false;
  bool differences = false;          // `first` holds how much each coordinate is behind the one before it
  Type coordinate = Type::Int32;     // what `first` holds of an element
  SlotPlace first;                   // of the coordinate or reference
  SlotPlace value;                   // of an element
  std::vector<std::size_t> targets;  // of a child: which node types, by tag
  int tag_bits = 0;
};

/// Fields whose slots take turns; mostly one.
struct GroupPlan {
  std::vector<FieldPlan> fields;
  std::int64_t slots = 1;  // where no size counts them
  bool counted = false;
  SlotPlace size;
};

/// A node type: the fields in the order of their coordinates, or of the schema where there is no order.
struct NodePlan {
  const schema::NodeLayout* layout = nullptr;
  std::vector<GroupPlan> groups;  // those of schema::field_groups
};

/// The memory of one dynamic level: all arrays that its layout names, in their order.
struct NodeArrays {
  schema::MemoryLayout layout;
  std::vector<std::span<const std::byte>> arrays;
};

/// The nodes of one dynamic level. Every access is checked to lie in its array: what is not there throws InternalError.
class LevelNodes {
 public:
  /// The arrays must stay where they are.
  explicit LevelNodes(NodeArrays memory);
  LevelNodes(const LevelNodes&) = delete;
  LevelNodes& operator=(const LevelNodes&) = delete;

  const schema::MemoryLayout& layout() const { return layout_; }
  const std::vector<NodePlan>& plans() const { return plans_; }
  /// Which of the plans is that of roots.
  std::size_t root_type() const { return root_; }

  /// How many slots of a group a node has in use.
  std::int64_t slots_of(const GroupPlan& group, std::uint32_t node) const {
    return group.counted ? load<std::int32_t>(address(group.size, node, 0)) : group.slots;
  }
  /// `before`: the coordinate of the element before it, which differences are added to.
  std::int64_t coordinate(const FieldPlan& field, std::uint32_t node, std::int64_t slot, std::int64_t before) const {
    const std::byte* at = address(field.first, node, slot);
    if (field.coordinate == Type::Int32) return load<std::int32_t>(at);
    if (field.coordinate == Type::Int64) return load<std::int64_t>(at);
    return before + difference(field.coordinate, at);
  }
  /// What a slot of a child field holds.
  std::uint32_t reference(const FieldPlan& field, std::uint32_t node, std::int64_t slot) const {
    return load<std::uint32_t>(address(field.first, node, slot));
  }
  /// Where the value in a slot of an element field is.
  const std::byte* value(const FieldPlan& field, std::uint32_t node, std::int64_t slot) const {
    return address(field.value, node, slot);
  }
  /// The position or root that an element's value leads to.
  std::int64_t child(const std::byte* value) const;

  /// A number of the memory record; of an array there, that of a slot.
  std::int64_t memory(const std::string& field, std::int64_t slot = 0) const;
  /// What the link at a position of a pool leads to, plus 1.
  std::uint32_t link(const schema::PoolLayout& pool, std::int64_t at) const;
  /// A number of a node's record that is no array.
  std::int64_t number(std::size_t type, const std::string& field, std::uint32_t node) const;
  std::int64_t number(std::size_t type, const schema::MemoryField& field, std::uint32_t node) const;

 private:
  template <typename T>
  static T load(const std::byte* at) {
    T value{};
    std::memcpy(&value, at, sizeof value);
    return value;
  }
  static std::int64_t difference(Type type, const std::byte* at);
  const std::byte* bytes_at(std::size_t array, std::int64_t offset, std::int64_t bytes) const {
    const std::span<const std::byte> from = memory_[array];
    if (offset < 0 || offset > std::ssize(from) - bytes) [[unlikely]]
      fail_outside(array, offset);
    return from.data() + offset;
  }
  [[noreturn]] void fail_outside(std::size_t array, std::int64_t offset) const;
  /// Where a slot is.
  const std::byte* address(const SlotPlace& place, std::uint32_t node, std::int64_t slot) const {
    const std::int64_t record = static_cast<std::int64_t>(node) * place.node_bytes;
    if (!place.elsewhere) return bytes_at(place.array, record + place.offset + slot * place.stride, place.stride);
    const auto position = load<std::uint32_t>(bytes_at(place.position_array, record + place.offset, 4));
    return bytes_at(place.array, (static_cast<std::int64_t>(position) + slot) * place.stride, place.stride);
  }
  SlotPlace place_of(const schema::NodeLayout& node, const std::string& member) const;
  GroupPlan plan_of(const schema::NodeLayout& node, const std::vector<const schema::Field*>& fields) const;
  FieldPlan plan_of(const schema::NodeLayout& node, const schema::Field& field) const;
  NodePlan plan_of(const schema::NodeLayout& node) const;

  schema::MemoryLayout layout_;
  std::vector<std::span<const std::byte>> memory_;  // of each array
  std::vector<NodePlan> plans_;
  std::size_t root_ = 0;
};

}  // namespace lacuna::nodes
