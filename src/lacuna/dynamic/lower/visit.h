#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/dynamic/lower/node_access.h"

// Comes to all elements under one root, in loops (section 4.2 of the paper, without its recursion: what is left to come
// to is kept on a stack, so that neither long lists nor degenerate trees are too deep).
namespace lacuna::dynamic {

/// An element where its loop stands. Slots that may be empty are looked at before.
struct Element {
  loop::Expr coordinate;  // of the level's coordinate type
  loop::Expr value;       // what the element holds
  Slot slot;              // where it is
};

/// What is left to come to: references and, where `kinds` is set, what to do with each.
struct VisitStack {
  loop::Var references;  // an array of UInt32
  std::optional<loop::Var> kinds;
  loop::Var capacity;  // Int64: elements that both have room for
  /// All of these variables.
  std::vector<loop::Var> memory() const;
};

/// The subtrees under a root that threads share out among them: references in a queue, the nodes nearest to the root
/// first. What the first `expanded` of them lead to is in the queue itself. Of a list, `expanded` counts its nodes.
struct Subtrees {
  VisitStack queue;
  loop::Var count, expanded;  // Int64
};

/// Hands out variables with names of their own.
using FreshVar = std::function<loop::Var(const std::string& name, const loop::IrType& type)>;

/// Writes the loops that visit all elements under a root.
class Visit {
 public:
  /// `in_order`: coordinates ascend, for schemas that are ordered. Otherwise those of a node come before those below
  /// it, which is quicker: it is read once, while it is in the cache.
  Visit(const Structure& structure, bool in_order, FreshVar fresh);

  /// Whether references wait on a stack: not in a list, where each node leads to one other.
  bool needs_stack() const { return needs_stack_; }
  /// Whether more than one thing can be done with what waits.
  bool has_kinds() const { return kinds_.size() > 1; }

  /// Comes to all elements under a root. `body` is asked once for each element field of each type of node.
  std::vector<loop::Stmt> loops(const loop::Expr& root, const std::optional<VisitStack>& stack,
                                const std::function<loop::Stmt(const Element&)>& body) const;

  /// The task-parallel visit (section 4.2 of the paper), cut off where there is enough to do for all: goes down from
  /// the root, level by level, until there are `wanted` subtrees that are not expanded, or no more. For visits that
  /// need a stack and no order.
  std::vector<loop::Stmt> find_subtrees(const loop::Expr& root, const Subtrees& subtrees,
                                        const loop::Expr& wanted) const;
  /// How many tasks that makes: one a subtree, where that of an expanded node are its own elements, and one for the
  /// elements of the root, if it may have some.
  loop::Expr tasks(const Subtrees& subtrees) const;
  /// Comes to all elements of a task.
  std::vector<loop::Stmt> subtree(const loop::Expr& root, const Subtrees& subtrees, const loop::Var& task,
                                  const VisitStack& stack, const std::function<loop::Stmt(const Element&)>& body) const;

  /// The same of a list, which one walk cuts into stretches of so many nodes that threads share out: where each begins
  /// is in the queue. For visits that need no stack. There are tasks() tasks.
  std::vector<loop::Stmt> find_stretches(const loop::Expr& root, const Subtrees& stretches) const;
  /// Comes to all elements of a stretch.
  std::vector<loop::Stmt> stretch(const loop::Expr& root, const Subtrees& stretches, const loop::Var& task,
                                  const std::function<loop::Stmt(const Element&)>& body) const;

 private:
  friend class VisitWriter;
  /// What waits: a reference of a node type or supertype to be followed or, in order, a run of elements of a node.
  struct Kind {
    std::string reference;  // the node or supertype that it is of
    const schema::Field* elements = nullptr;
  };
  void find_kinds();
  bool is_list() const;
  std::size_t kind_of(const std::string& reference, const schema::Field* elements = nullptr) const;

  const Structure& structure_;
  bool in_order_;
  FreshVar fresh_;
  std::vector<Kind> kinds_;
  bool needs_stack_ = true;
};

}  // namespace lacuna::dynamic
