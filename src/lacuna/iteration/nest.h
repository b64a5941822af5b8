#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lacuna/concrete/blas_call.h"
#include "lacuna/concrete/row_piece.h"
#include "lacuna/iteration/walks.h"

/// How the loops of a concrete program come by the entries of its tensors: worked out once, read by whoever estimates,
/// explains or lowers the program.
namespace lacuna::iteration {

/// What decides which coordinates a loop visits.
enum class Iteration : std::uint8_t {
  Full,    // all of its extent, or of the window that loops outside leave
  Walk,    // one level
  Merge,   // several levels side by side
  Drain,   // the coordinates that workspaces collected, and what levels beside them store
  Pieces,  // none: it counts pieces of other variables, or strides over them
};

/// One forall of a program.
struct Loop {
  IndexVar var;
  concrete::Execution how;
  Iteration iteration = Iteration::Full;
  Walks walks;
  std::vector<LevelUse> located;  // the levels of operands that the loop's variable leads to, besides those walked
  std::optional<concrete::RowPiece> piece = std::nullopt;  // that the loop collects in registers
  std::optional<concrete::BlasCall> call = std::nullopt;   // that takes the place of the nest of this loop
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
  Paths paths;
  std::vector<Atom> atoms;  // the first 64; beyond them everything counts as present
  std::vector<Loop> loops;
  /// The temporaries that are stored to once at each entry, with all that there is to add: a single product, a sum that
  /// is collected in registers, a product of matrices. They need not be zeroed before.
  std::set<TensorVar> stored_once;
  Node root;

  const Loop& loop_of(const Node& node) const { return loops[static_cast<std::size_t>(node.loop)]; }
  const Path& path_of(const LevelUse& use) const { return paths[static_cast<std::size_t>(use.path)]; }
  /// "A2"
  std::string level_name(const LevelUse& use) const {
    return fmt::format("{}{}", path_of(use).tensor.name(), use.level + 1);
  }
  /// Where the deepest level of an operand's path up to `level` stores something.
  concrete::Formula stored(int path, int level) const;
  /// Where a temporary has a value.
  concrete::Formula presence_of(const TensorVar& temporary) const;
  /// Where an expression is present when all of its paths are resolved.
  concrete::Formula presence_of(const Expr& e) const;
};

/// Reads the loops of a verified program.
Nest analyze(const concrete::Program& program);

/// One line for each loop, in the order of the program's text: "forall j: {A2 B2} > {A2}".
std::string to_string(const Nest& nest);

}  // namespace lacuna::iteration
