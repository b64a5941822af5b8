#pragma once

#include "lacuna/lower/assemble/results.h"
#include "lacuna/lower/context/context.h"
#include "lacuna/lower/levels/level.h"
#include "lacuna/lower/levels/windows.h"
#include "lacuna/lower/nest/balance.h"

namespace lacuna {

class LoopLowerer;

inline const concrete::Forall& forall_of(const iteration::Node& node) {
  return std::get<concrete::Forall>(node.stmt->kind);
}

/// Lowers the statements of concrete notation, recursively.
class NestLowerer {
 public:
  NestLowerer(Context& context, const Results& results) : context_(context), results_(results) {}
  void lower(const iteration::Node& node, const Scope& scope, Statements& out);

 private:
  friend class LoopLowerer;

  static void refuse_directives_of_walks(const concrete::Forall& f);
  void lower_loop(const iteration::Node& node, const Scope& scope, Statements& out);
  bool appends_in(const concrete::Forall& f) const;
  void lower_pieces(const iteration::Node& node, const Scope& scope, Statements& out);
  void lower_piece(const iteration::Node& node, const loop::Expr& value, Scope scope, Statements& out);
  const concrete::Split* fixed_split(const concrete::Forall& f, const Scope& scope) const;
  void lower_whole_pieces(const iteration::Node& node, const concrete::Split& split, const Scope& scope,
                          Statements& out);
  Window within_extent(const IndexVar& var, LoopLowerer& loop, Statements& out);
  Shares shares_of(const concrete::Forall& f, LoopLowerer& loop, bool outermost, Statements& out);
  void lower_shares(const concrete::Forall& f, LoopLowerer& loop, bool outermost, Statements& out);
  void lower_nodes(const iteration::Node& node, const Scope& scope, LoopLowerer& loop, Statements& out);
  void lower_where(const iteration::Node& node, const Scope& scope, Statements& out);
  void lower_call(const concrete::BlasCall& call, const Scope& scope, Statements& out);
  void lower_assign(const concrete::Assign& assign, const Scope& scope, Statements& out);
  void store_value(const concrete::Assign& assign, const Computed& value, const Scope& scope, Statements& out);
  void accumulate_scalar(const concrete::Assign& assign, const Computed& value, const Scope& scope, Statements& out);
  void accumulate_workspace(const concrete::Assign& assign, const Computed& value, const Scope& scope, Statements& out);
  ScalarState declare_scalar(const TensorVar& temporary, const concrete::Where& where, const Scope& scope,
                             Statements& out);
  bool is_always_run(const concrete::Forall& f, bool all_pieces) const;
  bool is_always_produced(const TensorVar& temporary, const concrete::Stmt& producer, const Scope& scope,
                          bool all_pieces) const;
  std::optional<loop::Expr> known_presence(const TensorVar& temporary, const concrete::Stmt& producer,
                                           const Scope& scope) const;
  bool runs_all_pieces(const concrete::Stmt& producer) const;
  loop::Stmt announced(const Access& target, const Scope& scope) const;
  Scope flag_workspaces(const concrete::Forall& f, const Scope& scope, Statements& out);

  Context& context_;
  const Results& results_;
};

/// Whether a loop with this body must come to coordinates in their order: a result is put together in it.
bool needs_order(const concrete::Program& program, const concrete::Stmt& body);
/// Whether a visit of an operand's level goes by coordinates though nothing needs that: what lies below was made in
/// this order, so that it is read as it lies in memory.
bool reads_in_order(const Format& format, int level);

/// Resolves every level whose variable is bound by now: those located into, and those that the loop order reaches out
/// of their own order. Only of paths that the statement reads.
void resolve_located(Context& context, const concrete::Stmt& stmt, Scope& scope, Statements& out);

/// The same of the next level of a path that reads a workspace.
void resolve_in_workspace(const Workspace& workspace, const Path& path, const Scope& scope, PathState& state,
                          Statements& out);

/// One forall over a variable of the statement: builds its lattice and emits the loops (loops.cpp), over all of its
/// coordinates or over those of a window.
class LoopLowerer {
 public:
  LoopLowerer(NestLowerer& nest, const iteration::Node& node, const Scope& scope, const std::optional<Window>& window);
  /// Whether it is one loop whose iterations can be counted before it starts.
  bool is_counted() const;
  /// Whether it is one loop that moves on by one step after the other, whatever is found alongside.
  bool is_stepped() const;
  /// Throws Error where it cannot be vectorized, unrolled or galloped through as asked.
  void check_execution() const;
  void lower(Statements& out);

  // For a loop that is run in shares (sharing.cpp).
  /// The coordinates that it runs through.
  Window run() { return {low(), high()}; }
  /// Whether these are all that there are.
  bool is_whole() const { return !window_ && before_.empty(); }
  /// How its work lies over them.
  Workload workload() const;
  /// Whether its operands can be searched for where a share begins.
  bool can_be_shared() const;
  /// Emits what its bounds need.
  void prepare(Statements& out);
  /// How it is run; what threads have of their own is known in it from then on.
  loop::LoopOptions execution();
  /// From then on it is the serial loop over one share.
  void restrict_to(const Window& share);

  // For a loop over nodes that threads share out (visits.cpp).
  /// Whether it comes to all that the nodes under a root hold, in any order.
  bool comes_to_all_nodes() const;
  /// Whether these are a list.
  bool comes_to_list() const;
  /// Threads take the subtrees of a tree, or the stretches of a list.
  void lower_tasks(Statements& out);
  /// Whether that pays, with several threads.
  loop::Expr pays_for_tasks();

 private:
  using Mask = std::uint64_t;  // a set of cursors, a bit each
  static bool has(Mask mask, int c) { return (mask >> c & 1) != 0; }
  /// A cursor open in this loop and, during a merge, the variable that holds its head's coordinate.
  struct Open {
    Cursor cursor;
    LevelAt at;
    std::optional<loop::Var> head, limit, run_end;
    const dynamic::Iterator* nodes = nullptr;  // where it is a walk over nodes that are in order
    std::optional<dynamic::Walk> walk = {};
  };

  void run_serially();
  loop::Expr low();
  loop::Expr high();
  void find_cursors();
  void add_cursor(const iteration::LevelUse& use);
  void add_located(Workload& work) const;
  void note_loops_inside(Workload& work, const concrete::Stmt& s, std::vector<IndexVar>& seen) const;
  void note_uncounted(Workload& work, const IndexVar& loop_var, std::vector<IndexVar>& seen) const;
  bool is_dense_everywhere(const IndexVar& v) const;
  void narrow_to_positions();
  void narrow_parents(int p, int first_level, int k);
  void narrow(Open& open);
  void open_cursors(Mask which, Statements& out);

  void emit_full(Statements& out);
  void emit_tile(Statements& out);
  void emit_single(int c, Statements& out);
  void emit_point(Mask point, Statements& out);
  void emit_compact(Statements& out);
  bool runs_wherever_one_is(const Scope& inside) const;

  // Of workspaces that loops run through (collected.cpp).
  std::pair<loop::Expr, loop::Expr> collected_range(const LevelAt& at, const Handle& parent);
  void ask_for_order();
  loop::Stmt forget_entry(const Open& o, const loop::Expr& coordinate) const;
  void find_entries(Scope& scope, Statements& out) const;

  // Of nodes (visits.cpp).
  bool comes_to_nodes() const;
  bool is_visit() const;
  void check_order_of_nodes() const;
  void open_walk(Open& o, Statements& out);
  void note_iterator(const Open& o) const;
  Handle at_node(int c, const loop::Expr& present, Statements& out) const;
  void emit_visit(Statements& out);
  loop::Expr root_of(const Open& o) const;
  loop::Stmt at_element(const LevelAt& at, const dynamic::Element& element);
  loop::Expr child_position(const LevelAt& at, const loop::Expr& value) const;
  loop::Expr wanted_tasks();

  // Of merges (merge.cpp).
  bool is_bulky() const;
  int merges_inside() const;
  bool is_compared(Mask point) const;
  void emit_compared(Mask point, Statements& out);
  loop::Stmt compare_heads(Mask point, Mask smallest, Mask left);
  loop::Stmt at_smallest(Mask point, Mask smallest);
  static bool is_searched(const Open& o);
  bool is_galloped() const;
  void emit_galloping(Statements& out);
  loop::Expr all_live(Mask point) const;

  std::optional<loop::Expr> most_iterations() const;
  std::vector<loop::Reduction> vector_reductions() const;
  void make_room(const std::optional<loop::Expr>& most, Statements& out);
  loop::Expr live(int c) const;
  loop::Expr at_head(int c) const;  // coordinate under the cursor
  void declare_heads(Mask which, bool guarded, Statements& out);
  loop::Expr smallest_head(Mask which) const;
  void find_run_ends(Mask which, const loop::Expr& coordinate, Statements& out);
  void catch_up(Mask which, const loop::Expr& coordinate, Statements& out);
  void advance(Mask which, const loop::Expr& coordinate, Statements& out);
  loop::Stmt step(const Open& o) const;
  void leap(const Open& o, const loop::Expr& coordinate, Statements& out);
  loop::Expr matches(int c, const loop::Expr& coordinate) const;
  Handle handle_of(int c, const loop::Expr& present, Statements& out) const;

  /// The body at `coordinate` with the presence of each cursor given (undefined: absent).
  loop::Stmt body(const loop::Expr& coordinate, const std::vector<loop::Expr>& present, bool covers);

  NestLowerer& nest_;
  Context& context_;
  const iteration::Node& node_;
  concrete::Forall forall_;
  Scope scope_;
  std::optional<Window> window_;  // the coordinates that the loop runs through, where not all
  Statements before_;             // what the cursors' bounds need
  std::vector<Open> open_;
  iteration::Lattice lattice_;
  std::optional<Handle> visited_;  // the element that the body is lowered for
  bool some_is_there_ = false;     // some deciding cursor is at each coordinate that the body is lowered for
};

}  // namespace lacuna
