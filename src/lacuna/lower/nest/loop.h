#pragma once

#include "lacuna/iteration/lattice.h"
#include "lacuna/lower/nest/cursors.h"
#include "lacuna/lower/nest/nest.h"

namespace lacuna {

/// One forall over a variable of the statement while it is lowered: what it walks, in the scope around it.
struct OpenLoop {
  OpenLoop(Context& of_kernel, const Results& of_nest, const iteration::Node& forall_node, const Scope& around);
  OpenLoop(const OpenLoop&) = delete;  // its cursors refer to its scope

  /// The first coordinate that it runs through, and the one past the last.
  loop::Expr low() const { return window ? window->low : context.low(forall.var); }
  loop::Expr high() const { return window ? window->high : context.high(forall.var); }
  /// Whether it runs through all that there are.
  bool is_whole() const { return !window && before.empty(); }
  /// The cursor that alone decides where it goes; -1 where none or several do.
  int only_cursor() const;
  /// Whether it moves on by one step after the other, whatever is found alongside.
  bool is_stepped() const;
  /// Whether its iterations can be counted before it starts, too.
  bool is_counted() const { return is_stepped() && lattice.following == 0; }
  bool comes_to_nodes() const;
  /// From then on threads and lanes are no matter of this loop.
  void run_serially();

  Context& context;
  const Results& results;
  const iteration::Node& node;
  concrete::Forall forall;
  Scope scope;
  std::optional<Window> window;  // the coordinates that it runs through, where not all
  Statements before;             // what the bounds of its cursors need
  Cursors cursors;
  iteration::Lattice lattice;
};

/// Says what is left of the levels whose positions are counted outside, from this loop's on (narrow.cpp).
void narrow_to_positions(OpenLoop& loop);

/// Throws Error where the loop cannot be run as directives ask, or not through nodes that are in no order.
void check_directives(const OpenLoop& loop);

/// Emits the loop, by its lattice: over every coordinate, over one level, or as a merge of several.
void emit_loop(OpenLoop& loop, Statements& out);

}  // namespace lacuna
