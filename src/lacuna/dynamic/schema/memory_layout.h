#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lacuna/dynamic/schema/layout.h"

// Where the nodes of a dynamic level lie, byte by byte: an arena of records a node type, pools for arrays without
// bound, and a record that knows what is in use (docs/decisions/0008-level-functions.md). What walks nodes and what is
// compiled for them agree because both read it here.
namespace lacuna::schema {

/// The types that a schema leaves open.
struct ElementTypes {
  Type coordinate = Type::Int32;  // a signed integer
  /// Of the tensor's values in its last level; UInt32 where the level below is dynamic, too, for the index of its root;
  /// Int64 for a position of an array level.
  Type value = Type::Float64;
  bool operator==(const ElementTypes&) const = default;
};

/// A reference to a node is its index in the arena of its type; one to a supertype is that times 2^tag_bits and the tag
/// that the node has among those of the supertype. Null is all ones.
inline constexpr std::uint32_t null_reference = 0xffffffff;
/// How many low bits of a reference to a supertype are the tag; null has the tag of no node.
int tag_bits(const NodeSchema& schema, std::string_view supertype);

/// What a slot holds.
struct SlotType {
  Type type = Type::Int32;  // of references UInt32
  std::string target;       // the node or supertype that a reference leads to; else empty
  bool is_value = false;    // of an element
};

/// A field of a record.
struct MemoryField {
  std::string name;  // of the member, where it is one; unique in the record
  SlotType slot;
  std::int64_t count = 0;   // slots side by side; 0 of a field that is no array
  std::int64_t offset = 0;  // of the first, in bytes
};

/// Fields in their order, each at its natural alignment, the size a multiple of the largest.
struct MemoryRecord {
  std::vector<MemoryField> fields;
  std::int64_t size = 1;
  /// The field of a name: null, or of `at` an InternalError, where there is none.
  const MemoryField* find(std::string_view name) const;
  const MemoryField& at(std::string_view name) const;
  /// Adds a field behind the others, under a name that none of them has.
  std::string add(std::string name, SlotType slot, std::int64_t count = 0);

 private:
  std::int64_t end_ = 0;
  std::int64_t alignment_ = 1;
};

/// The fields of the memory record that tell what is in use of some memory: the next index that was never used, the
/// first that may not be, and where what was given back begins, plus 1.
struct InUse {
  std::string next, limit, free;
};

struct NodeLayout {
  const NodeType* node = nullptr;  // of the schema
  MemoryRecord record;
  std::map<std::string, std::string> sizes;  // by member: the size of an array that lies elsewhere
  std::uint32_t tag = 0;                     // which of its supertype's nodes it is
  std::string link;                          // the field that links nodes that are not in use
  InUse in_use;
  std::size_t array = 0;  // which one its arena is
};

/// An array that lies elsewhere is a segment of a pool; those of one size share the position. The nth class of segments
/// has 2^(n-1) slots; a segment has room for a link, which takes several slots of a narrow array.
struct PoolLayout {
  struct Member {
    SlotType slot;
    std::size_t array = 0;  // which one its slots are
  };
  std::string node;
  std::string size;                       // the field of the schema
  std::string position;                   // the field of the record: where the segment begins
  std::map<std::string, Member> members;  // by name
  InUse in_use;                           // `free` by class
  /// The array that links segments which are not in use: its first slot holds where the next one begins, plus 1, or its
  /// first slots the bits of that, from the low ones up.
  const Member& link() const;
  /// How many slots a link takes, which is how many the smallest segment has.
  std::int64_t link_slots() const;
};
/// The classes of segments: none, 1, 2, 4, … 2^31 slots.
inline constexpr std::int64_t segment_classes = 33;

/// All memory of a level, which is so many arrays: the memory record, the arenas in the order of the schema, and the
/// pools' arrays. All zero is the memory record of an empty level, once its limits are set.
struct MemoryLayout {
  /// The schema must outlive the layout.
  MemoryLayout(const NodeSchema& schema, ElementTypes types);

  const NodeSchema& schema;
  ElementTypes types;
  std::vector<NodeLayout> nodes;  // in the order of the schema
  std::vector<PoolLayout> pools;
  MemoryRecord memory;
  std::string full;     // of `memory`: a limit was reached, and the level is broken
  std::string largest;  // of `memory`: the largest class of segments that was ever taken from any pool
  std::size_t arrays = 1;

  /// A part by its name in the schema; InternalError where there is none.
  const NodeLayout& node(std::string_view name) const;
  const NodeLayout& root() const;
  const PoolLayout& pool(std::string_view node, std::string_view size) const;
  /// The type of an array's elements; arenas and the memory record are counted in bytes, UInt8.
  Type array_type(std::size_t array) const;
  /// Bytes of one element of an array: of a record, or a slot.
  std::int64_t element_size(std::size_t array) const;

 private:
  void add_node(const NodeType& node, std::uint32_t tag);
  void add_elsewhere(NodeLayout& node, const Member& member, const SlotType& slot);
};

}  // namespace lacuna::schema
