#pragma once

#include "lacuna/dynamic/lower/helpers.h"
#include "lacuna/dynamic/lower/iterator.h"
#include "lacuna/dynamic/lower/place.h"

// A dynamic level as loop IR: schema and functions in, records and functions out.
// docs/decisions/0008-level-functions.md says what callers promise.
namespace lacuna::dynamic {

/// Nodes of a type, or slots of a pool, that must be left before a call.
struct Need {
  std::string next, limit;        // fields of the memory record
  std::vector<loop::Var> arrays;  // that have an element each
  loop::Expr more;
};

/// A level file in the loop IR: its records, its functions, and the calls of these.
class DynamicLevel {
 public:
  /// Takes names from `names`, those of the module. Make all levels of a module before `functions` of any, so that
  /// variables of functions differ from the names of all records and functions. The definition must outlive the level.
  DynamicLevel(const schema::NodeSchema& schema, const schema::LevelProgram& program, LevelTypes types,
               loop::NameSupply& names);
  DynamicLevel(const DynamicLevel&) = delete;
  DynamicLevel& operator=(const DynamicLevel&) = delete;
  ~DynamicLevel() = default;

  const Structure& structure() const { return structure_; }
  /// Whether the file has a function.
  bool has(const std::string& function) const { return names_.own.contains(function); }
  /// What hands out its elements one by one. Only of a level that is ordered.
  const Iterator& iterator() const;

  /// The level's functions and those that they need. `names`: those of the module by now.
  std::vector<loop::Function> functions(const loop::NameSupply& names) const;

  /// The records that these, and whoever calls them, have variables of.
  std::vector<std::shared_ptr<const loop::Record>> records() const;

  /// A call of a function of the file, over the memory of `structure()`. A sequence of elements is four arguments: the
  /// array of coordinates, that of values, and the positions of the first and behind the last. The call changes memory
  /// unless it is `find`, so that it stands alone.
  loop::Expr call(const std::string& function, std::vector<loop::Expr> arguments) const;
  /// A new root: an empty level. Of stored nodes that have a head (head.h), roots are heads.
  loop::Expr new_root() const;
  /// Makes a level empty whose memory is forgotten: for roots that lie in an arena by position, as rows do.
  loop::Stmt clear_root(const loop::Expr& root) const;
  /// The type of a variable that holds a root.
  loop::IrType root_type() const;

  /// How many nodes of each type one call of a function takes from memory at most: counted where `new` is in no loop
  /// and no recursion, most_nodes otherwise. Of `build` and repeated appends, most_nodes more than they get elements.
  std::int64_t nodes_of(const std::string& function) const;
  /// What a call of one of the functions needs, whichever it is.
  std::vector<Need> needs_of(const std::vector<std::string>& functions) const;
  /// What a call of `build` needs that gets so many elements.
  std::vector<Need> needs_to_build(const loop::Expr& elements) const;
  /// What so many more roots need.
  std::vector<Need> needs_of_roots(const loop::Expr& more) const;
  /// How many slots of each pool one call of a function takes at most (but for `build` and repeated appends: 4 for each
  /// element): most_segments segments, each of them at most twice as large as the largest that any pool ever had.
  loop::Expr most_slots() const;
  /// How many slots the smallest segment of any pool has that a function may take.
  std::int64_t smallest_segment() const;

 private:
  bool takes_root(const schema::CodeFunction& function) const;
  loop::Expr given_root(const loop::Expr& root) const;
  std::vector<Need> needs_of(const schema::Effects& effects, const loop::Expr& nodes, const loop::Expr& slots) const;
  schema::Effects taken_by(const std::vector<std::string>& functions) const;

  const schema::LevelProgram& program_;
  Structure structure_;
  FunctionNames names_;
  std::optional<Iterator> iterator_;
};

/// A path in a tree of 2^32 nodes is no longer, and no function makes more nodes than it passes.
inline constexpr std::int64_t most_nodes = 64;
/// No function takes more segments.
inline constexpr std::int64_t most_segments = 8;
/// Nodes of a type, and slots of a pool: the last index is that of null.
inline constexpr std::int64_t most_room = std::int64_t{0xffffffff};

}  // namespace lacuna::dynamic
