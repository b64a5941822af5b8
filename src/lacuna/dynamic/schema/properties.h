#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/dynamic/schema/schema.h"

// What follows from a schema that check_schema accepts. Pointers are into the schema that was given.
namespace lacuna::schema {

/// The node that stands for the whole level: the only one that no other node refers to.
const NodeType& root_of(const NodeSchema& schema);

/// Why elements cannot be visited in the order of their coordinates: the first gap in the order of the nodes, if any.
std::optional<std::string> find_order_gap(const NodeSchema& schema);
/// Every node says in which order its elements and children are.
bool is_ordered(const NodeSchema& schema);

/// The node's order: as its seq says, or the only field where there is but one and no array; empty where it has none.
std::vector<SequenceEntry> sequence_of(const NodeType& node);

/// The element and child fields in the order in which they are visited, those together whose slots take turns: as the
/// node's order says, or one by one as they were written where it has none.
std::vector<std::vector<const Field*>> field_groups(const NodeType& node);

/// The element from which an array's first difference counts: that before it in the order of the node. Only of an
/// array that stores differences.
const Field& difference_base(const NodeType& node, const Field& field);

/// The fields whose slots hold coordinates and values, or lead to other nodes, as they were written.
std::vector<const Field*> element_fields(const NodeType& node);
std::vector<const Field*> child_fields(const NodeType& node);

/// A number of things, from `least` to `most`; without `most` there is no bound.
struct Bounds {
  std::int64_t least = 0;
  std::optional<std::int64_t> most = 0;
  bool operator==(const Bounds&) const = default;
};
/// How many slots of an element or child field are in use: 1 of a scalar, the range of its size of an array.
Bounds slots_of(const NodeType& node, const Field& field);
/// How many elements one node holds, without its children.
Bounds elements_of(const NodeType& node);
/// How many elements or references there are in a field at least: none where slots may be empty.
std::int64_t fewest_filled(const NodeType& node, const Field& field);
/// Some element slot may hold none, so that whoever walks must ask.
bool has_empty_slots(const NodeSchema& schema);
/// The slots that a field has within its node, in use or not; none for an array of unbounded size, which lies
/// elsewhere.
std::optional<std::int64_t> capacity_of(const NodeType& node, const Field& field);

/// How a node type leads back to itself: not at all, along one reference, so that a loop can follow it, or along
/// several.
enum class Recursion : std::uint8_t { None, OneChild, SeveralChildren };
/// The fields from which a node of the same type can be reached.
std::vector<const Field*> recursive_fields(const NodeSchema& schema, const NodeType& node);
/// That of one node type.
Recursion recursion_of(const NodeSchema& schema, const NodeType& node);
/// The strongest of its nodes'.
Recursion recursion_of(const NodeSchema& schema);

}  // namespace lacuna::schema
