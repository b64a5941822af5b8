#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/dynamic/code/program.h"
#include "lacuna/dynamic/schema/memory_layout.h"
#include "lacuna/loop/build.h"

// How the nodes of a dynamic level lie in the memory of the loop IR: an arena of records a node type, references that
// are 32-bit indices into it, pools for arrays without bound, and a record that knows what is in use.
namespace lacuna::dynamic {

/// What a level is lowered for.
struct LevelTypes {
  std::string prefix;             // of the names of records, functions and memory: "B2"
  Type coordinate = Type::Int32;  // a signed integer
  loop::IrType value;             // of the elements: a scalar, or the reference to the root of the level below
  bool places = false;            // whether iterators tell where elements are
  /// A name within the level: "B2_leaf".
  std::string prefixed(const std::string& name) const { return prefix.empty() ? name : prefix + "_" + name; }
};

/// An array that lies elsewhere is a segment of a pool; those of one size share the position. The nth class of segments
/// has 2^(n-1) slots.
struct Pool {
  std::string node;
  std::string size;                         // the field of the schema
  std::string position;                     // the field of the record: where the segment begins
  std::map<std::string, loop::Var> arrays;  // by member
  std::string next, limit, free;            // fields of the memory record
};
using schema::segment_classes;

/// A node type as a record in an arena.
struct NodeRecord {
  const schema::NodeType* node = nullptr;
  std::shared_ptr<loop::Record> record;
  loop::Var arena;
  std::map<std::string, std::string> fields;  // of the record, by member
  std::map<std::string, std::string> sizes;   // by member: the size of an array that lies elsewhere
  std::uint32_t tag = 0;                      // which of its supertype's nodes it is
  std::string link;                           // the field that links nodes that are not in use
  std::string next, limit, free;              // fields of the memory record
};

/// The records and the memory of a level. All zero is the memory of an empty level, once its limits are set:
///   NODE_next, NODE_limit   the next index that was never used, and the first that may not be
///   NODE_free               the last node that was deleted, plus 1; nodes link to the one deleted before
///   NODE_SIZE_…             the same of a pool
///   largest                 the largest class of segments that was ever taken from any pool
///   full                    a limit was reached: the caller did not make room, and the level is broken
struct Structure {
  /// Names records and memory by `names`, that of the module.
  Structure(const schema::NodeSchema& schema, const schema::LevelProgram& program, LevelTypes types,
            loop::NameSupply& names);

  const schema::NodeSchema& schema;
  LevelTypes types;
  schema::MemoryLayout layout;    // which everything below follows
  std::vector<NodeRecord> nodes;  // in the order of the schema
  std::vector<Pool> pools;
  std::shared_ptr<loop::Record> memory_record;
  std::shared_ptr<loop::Record> state_record;  // null without a state
  std::vector<loop::Var> memory;               // an arena of one memory record
  std::vector<loop::Var> state;                // an arena of one state record, if there is a state
  std::map<std::string, std::string> state_fields;
  std::string full;  // fields of the memory record
  std::string largest;

  /// A node type by its name in the schema; InternalError where there is none.
  const NodeRecord& node(const std::string& name) const;
  /// The node type that stands for the level.
  const NodeRecord& root() const;
  /// The pool of the arrays with one size; InternalError where there is none.
  const Pool& pool(const std::string& node, const std::string& size) const;
  /// A field of the memory record that counts nodes or slots, as an Int64, and the statement that sets it to one.
  loop::Expr memory_field(const std::string& field) const;
  loop::Stmt set_memory_field(const std::string& field, const loop::Expr& value) const;
  /// The variable that an array of the layout is.
  loop::Var array(std::size_t index) const;

  /// The type that a variable of a function has in the IR.
  loop::IrType type_of(const schema::CodeType& type) const;
  /// The memory that a function with these effects is given, in the order of its parameters.
  std::vector<loop::Var> memory_of(const schema::Effects& effects) const;
  /// All of it.
  std::vector<loop::Var> all_memory() const;
  /// The records of all nodes, of the memory and of the state.
  std::vector<std::shared_ptr<const loop::Record>> records() const;

 private:
  loop::IrType type_of_slot(const schema::SlotType& slot) const;
  void add_state(const schema::LevelProgram& program, loop::NameSupply& names);
};

}  // namespace lacuna::dynamic
