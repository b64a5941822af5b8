#pragma once

#include <string>
#include <vector>

#include "lacuna/dynamic/schema/schema.h"

// A level's elements one after the other, in the order of their coordinates, as a coroutine that stops at each: where
// it can be in a node, and what comes next (section 4.3 of the paper). Pure values, which the iterator is written from.
namespace lacuna::dynamic {

/// What is done at one place of a node: an element is handed out, or a child is gone through. States are counted from
/// 1, node by node in the order of their sequences; 0 is the end.
struct State {
  const schema::NodeType* node = nullptr;
  const schema::Field* field = nullptr;
  bool is_child = false;
  bool is_array = false;  // once a slot, in turns with the other arrays of its group
  bool first = false;     // of its group: here it is seen whether there is another slot
  int next = 0;           // the state of the next array of the group, at the same slot; 0: the last one, so that the
                          // next slot comes, or what is after the group
  int group = 0;          // the first state of its group
  int after = 0;          // what comes when the group is done; 0: the node is done
  /// Nothing is left in the node behind it, so that what is above it can be gone on with directly (the paper's tail
  /// call).
  bool is_tail() const { return is_child && !is_array && after == 0; }
};

/// The states of all nodes of an ordered schema, after the paper's steps: recursive calls are states that a stack
/// keeps, those at the end of a node and those that lead nowhere are none (Figure 11b), those of other nodes are
/// inlined.
class Coroutine {
 public:
  /// Throws InternalError for a schema without order. It must outlive the coroutine.
  explicit Coroutine(const schema::NodeSchema& schema);

  const schema::NodeSchema& schema() const { return schema_; }
  int count() const { return static_cast<int>(states_.size()); }
  const State& at(int state) const { return states_[static_cast<std::size_t>(state - 1)]; }
  /// Where a node begins; 0 for one without fields to come to.
  int begin_of(const std::string& node) const;
  /// Whether something must be remembered while a child is gone through.
  bool needs_stack() const;

  /// The paper's steps, as text in its notation: one recursive coroutine a node; with tail calls and null guards; with
  /// a stack of its own instead of recursion (Figures 11a to 11c).
  std::string recursive() const;
  std::string guarded() const;
  std::string without_recursion() const;

 private:
  const schema::NodeSchema& schema_;
  std::vector<State> states_;
};

}  // namespace lacuna::dynamic
