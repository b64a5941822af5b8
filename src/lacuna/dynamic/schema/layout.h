#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lacuna/dynamic/schema/schema.h"

// How nodes lie in memory (Table 1 of the paper), without saying it in any programming language.
namespace lacuna::schema {

/// The type that coordinates have in the tensor at hand; a signed integer, since -1 marks an empty slot.
struct CoordinateType {
  bool operator==(const CoordinateType&) const = default;
};
/// The type of the tensor's values in its innermost level; in the others, whatever refers to the structure below.
struct ValueType {
  bool operator==(const ValueType&) const = default;
};
/// A reference to a struct of that name, or to one that extends it; may be null.
struct NodeReference {
  std::string target;
  bool operator==(const NodeReference&) const = default;
};
/// Which of the structs that extend a struct a node is: a number from 0, in the order of `Struct::extended_by`.
struct NodeTag {
  bool operator==(const NodeTag&) const = default;
};
using MemberType = std::variant<CoordinateType, ValueType, NodeReference, NodeTag, Type>;

enum class Storage : std::uint8_t {
  Single,     // one of the type
  InNode,     // an array of `capacity` slots in the struct
  Elsewhere,  // a reference to an array that lies on its own
};

/// One member of a struct.
struct Member {
  std::string name;
  MemberType type;
  std::string field;  // of the schema, that the member comes from; empty for a tag
  Storage storage = Storage::Single;
  std::int64_t capacity = 1;  // of an array in the node
  std::string size;           // the member that counts an array's slots in use; empty when all of `capacity` are
  bool operator==(const Member&) const = default;
};

/// A node or supertype as a struct.
struct Struct {
  std::string name;
  std::string base;                      // the struct of the supertype, whose members come first; empty without one
  std::vector<std::string> extended_by;  // of a supertype: its nodes
  std::vector<Member> members;
  bool operator==(const Struct&) const = default;
};

/// The structs of a schema that check_schema accepts: supertypes first, both in the order of the schema, and members in
/// the order of the fields. An element field e becomes the members ec (coordinates), or ed (their differences), and
/// ev (values).
std::vector<Struct> layout_of(const NodeSchema& schema);

/// The members of one node type alone, those of its supertype not among them.
std::vector<Member> members_of(const NodeType& node);

/// The types that a schema leaves open.
struct StructTypes {
  Type coordinate = Type::Int32;
  Type value = Type::Float64;
};

/// The struct as C++ declares it, like those of Figure 9. References name structs that may stand behind it.
std::string to_string(const Struct& made, const StructTypes& types = {});

/// The member of a supertype's struct.
inline constexpr const char* tag_member = "tp";

}  // namespace lacuna::schema
