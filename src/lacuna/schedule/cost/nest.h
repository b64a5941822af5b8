#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/concrete/program.h"
#include "lacuna/concrete/sparsity.h"

namespace lacuna::cost {

/// One tensor accessed with one list of index variables.
struct Path {
  Access access;
  std::vector<IndexVar> variables;  // by level
};

/// How a loop comes by the children of a level.
enum class Use : std::uint8_t {
  Walked,    // one after the other; decides, with the other walked ones, which coordinates the loop visits
  Followed,  // one after the other, catching up with coordinates that others decide
  Computed,  // dense: the position is arithmetic
  Tested,    // bitmap: arithmetic, and a byte that says whether the entry is stored
  Probed,    // hashed: looked up
  Searched,  // ordered, but bound out of its order: a binary search
};

struct LevelUse {
  int path = 0;
  int level = 0;
  Use use = Use::Walked;
};

/// What decides which coordinates a loop visits.
enum class Iteration : std::uint8_t {
  Full,    // all of its extent, or of the window that loops outside leave
  Walk,    // one level
  Merge,   // several levels side by side
  Drain,   // the coordinates that workspaces collected, and what levels beside them store
  Pieces,  // none: it counts pieces of other variables, or strides over them
};

/// One forall of a program as lowering makes it.
struct Loop {
  IndexVar var;
  concrete::Execution how;
  Iteration iteration = Iteration::Full;
  std::vector<LevelUse> cursors;                            // Walked and Followed
  std::vector<LevelUse> located;                            // the others, with the loop's variable known
  concrete::Formula formula = concrete::Formula::always();  // where its body may do something, over the cursors
  bool read_once = true;                                    // no cursor's tensor occurs twice in the body
  std::vector<TensorVar> drained;  // the workspaces; after the cursors, the formula counts those whose last level it is
};

/// A statement with what is known about it at its place in the nest.
struct Node {
  concrete::Stmt stmt;
  int loop = -1;                                             // of a forall: its number, in the order of the text
  concrete::Formula presence = concrete::Formula::always();  // where it may do something, over Nest::atoms
  std::vector<Node> children;  // of a forall: its body; of a where: consumer, producer; of a sequence: all
};

/// A thing that may be absent: a stored level of a path, or a temporary.
struct Atom {
  int path = -1;
  int level = -1;
  TensorVar temporary;
};

/// The loops of a program with the levels that each walks and locates into.
struct Nest {
  std::vector<Path> paths;
  std::vector<Atom> atoms;  // the first 64; beyond them everything counts as present
  std::vector<Loop> loops;
  Node root;

  /// The path of an operand's access; -1 for other tensors.
  int path_of(const concrete::Program& program, const Access& access) const;
  /// Where a temporary has a value.
  concrete::Formula presence_of(const TensorVar& temporary) const;
  /// Where an expression is present when all of its paths are resolved.
  concrete::Formula presence_of(const concrete::Program& program, const Expr& e) const;
};

/// Reads the loops of a verified program as lowering does.
Nest analyze(const concrete::Program& program);

/// The levels that a derivation over positions counts along its access, first and last.
std::pair<int, int> counted_levels(const concrete::Program& program, const concrete::Position& position);

}  // namespace lacuna::cost
