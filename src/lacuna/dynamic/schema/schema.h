#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lacuna/support/error.h"
#include "lacuna/support/type.h"

// What a node schema says (docs/reference/levels.md explains it to users), as plain values. Two schemas are equal when
// they say the same, wherever and however it was written.
namespace lacuna::schema {

/// Where something stands in the text it was read from; not known when a program made it. Never makes a difference.
struct Place {
  SourceRange range;
  friend bool operator==(const Place&, const Place&) { return true; }
};

struct Name {
  std::string text;
  Place where;
  bool operator==(const Name&) const = default;
};

/// A number as it was written, or through the constant that is named.
struct Number {
  std::int64_t value = 0;
  std::string constant;  // empty: written as digits
  Place where;
  bool operator==(const Number&) const = default;
};

/// `const CAPACITY = 32`
struct Constant {
  Name name;
  Number value;
  bool operator==(const Constant&) const = default;
};

/// How many slots an array has: those that a size field of the same node counts, or always the same number.
using ArraySize = std::variant<Name, Number>;

/// `diff uint8`: a slot stores by how much its coordinate is larger than that of the element before it, in that type.
struct Differences {
  Type type = Type::UInt8;
  Place where;
  bool operator==(const Differences&) const = default;
};

/// `e : elem[B] nonempty`: elements of the level, each a coordinate with a value or a nonempty subtensor. Without
/// `nonempty` a slot may hold none.
struct ElementField {
  std::optional<ArraySize> array;
  bool nonempty = false;
  std::optional<Differences> differences = {};
  bool operator==(const ElementField&) const = default;
};

/// `l : tree`: references to nodes of a type, or of any type of a supertype. Without `nonempty` one may be null.
struct ChildField {
  Name type;
  std::optional<ArraySize> array;
  bool nonempty = false;
  bool operator==(const ChildField&) const = default;
};

/// `in [1, 3]`; without `most`, which is written `*`, there is no upper bound.
struct SizeRange {
  Number least;
  std::optional<Number> most;
  bool operator==(const SizeRange&) const = default;
};

/// `B : size in [1, 3]`: how many slots of the arrays that name it are in use.
struct SizeField {
  std::optional<SizeRange> range;
  bool operator==(const SizeField&) const = default;
};

/// `c : bool`: whatever else the functions of a level keep in a node. Bool and the integers.
struct MetadataField {
  Type type = Type::Bool;
  bool operator==(const MetadataField&) const = default;
};

/// `p : parent`: the node of the same type or supertype that refers to this one; null where that is another or none.
struct ParentField {
  bool operator==(const ParentField&) const = default;
};

struct Field {
  Name name;
  std::variant<ElementField, ChildField, SizeField, MetadataField, ParentField> type;
  bool operator==(const Field&) const = default;
};

/// One term of `seq = l, {e}, r`. Braces say that the slots of the arrays in them are in order, too, taking turns:
/// `{c, e}` is c[0], e[0], c[1], e[1], …
struct SequenceEntry {
  std::vector<Name> fields;  // one, when there are no braces
  bool braces = false;
  bool operator==(const SequenceEntry&) const = default;
};

struct NodeType {
  Name name;
  std::optional<Name> supertype;
  std::vector<Field> fields;
  /// In which order the coordinates of the elements and of what the children hold ascend; empty: not said.
  std::vector<SequenceEntry> sequence;
  bool operator==(const NodeType&) const = default;
};

/// All the types of nodes that a level is made of.
struct NodeSchema {
  std::vector<Constant> constants;
  std::vector<Name> supertypes;
  std::vector<NodeType> nodes;
  /// The node that stands for the level was added by stored_nodes (head.h).
  bool has_head = false;
  bool operator==(const NodeSchema&) const = default;
};

/// The node type, supertype, constant or field of a name; null or false when there is none.
const NodeType* find_node(const NodeSchema& schema, std::string_view name);
bool is_supertype(const NodeSchema& schema, std::string_view name);
const Constant* find_constant(const NodeSchema& schema, std::string_view name);
const Field* find_field(const NodeType& node, std::string_view name);

/// The size of an element or child array; none for a scalar and for other kinds of fields.
std::optional<ArraySize> array_of(const Field& field);
/// True for an element or child field that says so.
bool is_nonempty(const Field& field);
/// The type of the differences that an element array stores instead of coordinates; none where it does not.
std::optional<Type> differences_of(const Field& field);
/// Whether a field is of that kind.
bool is_element(const Field& field);
bool is_child(const Field& field);

/// The schema as text that reads back equal.
std::string to_string(const NodeSchema& schema);

}  // namespace lacuna::schema
