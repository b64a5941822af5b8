#pragma once

#include <optional>
#include <vector>

#include "lacuna/dynamic/lower/coroutine.h"
#include "lacuna/dynamic/lower/helpers.h"

// The coroutine of an ordered level as functions that hand out its next element, so that merges can stop at each
// (section 4.3 of the paper). Where it is, it keeps in a record; what it will come back to, on a stack that its caller
// owns and makes larger when the function says so.
namespace lacuna::dynamic {

/// Where an iterator is: a local record and, if it needs one, its stack.
struct Walk {
  loop::Var record;                        // an arena of one
  std::optional<loop::Var> nodes = {};     // stack: the nodes to go on in, an array of UInt32,
  std::optional<loop::Var> states = {};    // and where in them: slot and state, an array of Int64
  std::optional<loop::Var> capacity = {};  // Int64: frames that both have room for
  /// All of these variables.
  std::vector<loop::Var> memory() const;
};

/// The coroutine of a level as functions that go on from a record and a stack.
class Iterator {
 public:
  /// Takes names from `names`, those of the module. The structure must be that of an ordered schema and outlive the
  /// iterator.
  Iterator(const Structure& structure, loop::NameSupply& names);

  const Coroutine& coroutine() const { return coroutine_; }
  std::shared_ptr<const loop::Record> record() const { return record_; }
  bool needs_stack() const { return coroutine_.needs_stack(); }

  /// The functions; `names` are those of the level's helpers, `module_names` all that the module has by now.
  std::vector<loop::Function> functions(const FunctionNames& names, const loop::NameSupply& module_names) const;

  /// Puts the walk before the first element under a root: `next` or `seek` comes to one.
  void start(const Walk& walk, const loop::Expr& root, std::vector<loop::Stmt>& out) const;
  /// There is nothing to come to.
  void start_empty(const Walk& walk, std::vector<loop::Stmt>& out) const;
  /// Goes to the next element.
  void next(const Walk& walk, std::vector<loop::Stmt>& out) const;
  /// Goes on to the first element that is not before a coordinate, past that of the element here.
  void seek(const Walk& walk, const loop::Expr& coordinate, std::vector<loop::Stmt>& out) const;

  /// Whether there is an element here.
  loop::Expr live(const Walk& walk) const;
  /// Its coordinate, Int64, and value.
  loop::Expr coordinate(const Walk& walk) const;
  loop::Expr value(const Walk& walk) const;
  /// Where it is (place.h), if LevelTypes say that this is told.
  loop::Expr place(const Walk& walk) const;

 private:
  friend class IteratorWriter;
  loop::Stmt set(const Walk& walk, const char* field, const loop::Expr& value) const;
  loop::Expr get(const Walk& walk, const char* field) const;
  void call(const std::string& function, const Walk& walk, std::vector<loop::Expr> arguments,
            std::vector<loop::Stmt>& out) const;
  std::vector<loop::Var> memory() const;

  const Structure& structure_;
  Coroutine coroutine_;
  std::shared_ptr<loop::Record> record_;
  std::string next_, seek_;
};

}  // namespace lacuna::dynamic
