#include <algorithm>

#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/prefetch.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {

LoopLowerer::LoopLowerer(NestLowerer& nest, const iteration::Node& node, const Scope& scope,
                         const std::optional<Window>& window)
    : nest_(nest), context_(nest.context_), node_(node), forall_(forall_of(node)), scope_(scope), window_(window) {
  narrow_to_positions();
  find_cursors();
}

loop::Expr LoopLowerer::low() { return window_ ? window_->low : context_.low(forall_.var); }

loop::Expr LoopLowerer::high() { return window_ ? window_->high : context_.high(forall_.var); }

bool LoopLowerer::is_counted() const {
  if (lattice_.full) return open_.empty();
  const bool one_cursor = lattice_.points.size() == 1 && (lattice_.points[0] & (lattice_.points[0] - 1)) == 0;
  return one_cursor && lattice_.following == 0 && !comes_to_nodes() &&
         open_[static_cast<std::size_t>(__builtin_ctzll(lattice_.points[0]))].cursor.unique;
}

bool LoopLowerer::is_stepped() const {
  if (lattice_.full) return true;
  const bool one_cursor = lattice_.points.size() == 1 && (lattice_.points[0] & (lattice_.points[0] - 1)) == 0;
  return one_cursor && !comes_to_nodes() &&
         open_[static_cast<std::size_t>(__builtin_ctzll(lattice_.points[0]))].cursor.unique;
}

void LoopLowerer::find_cursors() {
  const std::vector<PathState>& paths = scope_.paths;
  const auto is_absent = [](const PathState& state) { return loop::is_false(state.at.present); };
  iteration::Walks walks = context_.nest().loop_of(node_).walks;
  if (std::any_of(paths.begin(), paths.end(), is_absent)) {
    iteration::Standing standing;
    for (const PathState& state : paths) {
      standing.level.push_back(state.level);
      standing.absent.push_back(is_absent(state));
    }
    walks = iteration::walks_of(context_.program(), context_.paths(), forall_, standing);
  }
  for (const std::vector<iteration::LevelUse>* uses : {&walks.cursors, &walks.drained})
    for (const iteration::LevelUse& u : *uses) add_cursor(u);
  lattice_ = std::move(walks.lattice);
}

void LoopLowerer::add_cursor(const iteration::LevelUse& use) {
  const Path& path = context_.paths()[static_cast<std::size_t>(use.path)];
  const Handle& parent = scope_.paths[static_cast<std::size_t>(use.path)].at;
  const auto found = scope_.workspaces.find(path.tensor);
  const Workspace* workspace = found == scope_.workspaces.end() ? nullptr : found->second.get();
  const LevelAt at{path, use.level, context_.program().at(path.tensor).format.level(use.level), workspace};
  std::pair<loop::Expr, loop::Expr> range{0, 0};
  if (workspace != nullptr) range = collected_range(at, parent);
  else if (!at.format.is_dynamic()) range = level_code(at.format.kind).range(context_, at, parent);
  const bool unique = workspace != nullptr ? at.level + 1 == workspace->order() : at.format.unique;
  open_.push_back({{use.path, range.first, range.second, context_.fresh_index(at.position_name()), unique,
                    forall_.var.name() + path.tensor.name()},
                   at,
                   std::nullopt,
                   std::nullopt,
                   std::nullopt});
  if (at.format.is_dynamic() && at.format.ordered)
    open_.back().nodes = &context_.dynamic_level(path.tensor, at.level).iterator();
}

void LoopLowerer::lower(Statements& out) {
  if (lattice_.formula.is_never()) return;
  check_execution();
  if (is_visit()) return emit_visit(out);
  ask_for_order();
  for (Open& o : open_) narrow(o);
  out.push_back(loop::comment("forall " + forall_.var.name()));
  out.insert(out.end(), before_.begin(), before_.end());
  if (lattice_.full) {
    make_room(high() - low(), out);
    return emit_full(out);
  }
  const bool one_cursor = lattice_.points.size() == 1 && (lattice_.points[0] & (lattice_.points[0] - 1)) == 0;
  if (one_cursor) {
    const int c = __builtin_ctzll(lattice_.points[0]);
    const Open& o = open_[static_cast<std::size_t>(c)];
    if (o.nodes != nullptr) make_room(std::nullopt, out);
    else make_room(o.cursor.end - o.cursor.begin, out);
    return emit_single(c, out);
  }
  open_cursors(lattice_.deciding | lattice_.following, out);
  make_room(most_iterations(), out);
  if (is_galloped()) return emit_galloping(out);
  if (!lattice_.enumerated || is_bulky()) return emit_compact(out);
  for (const Mask point : lattice_.points) emit_point(point, out);
}

/// Only loops that assign to the result itself append to it, not those that fill a temporary.
void LoopLowerer::make_room(const std::optional<loop::Expr>& most, Statements& out) {
  for (Assembler* result : nest_.results_.in(forall_.body)) out.push_back(result->before_loop(forall_.var, most));
}

/// No coordinate comes twice, and each comes from some deciding cursor; a loop of one term needs all of its cursors.
/// How many elements nodes hold under a parent is not known.
std::optional<loop::Expr> LoopLowerer::most_iterations() const {
  const bool needs_all = lattice_.points.size() == 1;
  std::optional<loop::Expr> most;
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(lattice_.deciding, c)) continue;
    const Open& o = open_[static_cast<std::size_t>(c)];
    if (o.nodes != nullptr && needs_all) continue;
    if (o.nodes != nullptr) return std::nullopt;
    const loop::Expr length = loop::Expr(*o.limit) - loop::Expr(o.cursor.position);
    if (!most) most = length;
    else most = needs_all ? loop::min(*most, length) : *most + length;
  }
  return most;
}

/// The loop over every coordinate of the extent; cursors follow along.
void LoopLowerer::emit_full(Statements& out) {
  if (scope_.tile && scope_.tile->along == forall_.var) return emit_tile(out);
  loop::LoopOptions options = execution_of(context_, forall_, scope_);
  const Mask all = lattice_.following;
  open_cursors(all, out);
  const loop::Var v = context_.fresh_index(forall_.var.name());
  Statements inside;
  loop::Expr first = low(), past = high();
  loop::Var counter = v;
  if (window_ && window_->length > 0) {
    counter = context_.fresh_index(forall_.var.name() + "_in");
    inside.push_back(loop::declare(v, first + loop::Expr(counter)));
    first = loop::Expr(0);
    past = loop::Expr(window_->length);
  }
  std::vector<loop::Expr> present(open_.size(), loop::Expr(false));
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    Open& o = open_[static_cast<std::size_t>(c)];
    const loop::Var flag = context_.fresh("has_" + o.cursor.position.name().substr(1), loop::scalar_type(Type::Bool));
    inside.push_back(loop::declare(flag, live(c) && loop::eq(at_head(c), v)));
    present[static_cast<std::size_t>(c)] = flag;
  }
  find_run_ends(all, v, inside);
  inside.push_back(body(v, present, true));
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    const Open& o = open_[static_cast<std::size_t>(c)];
    inside.push_back(o.cursor.unique ? loop::if_then(present[static_cast<std::size_t>(c)], step(o))
                                     : loop::assign(o.cursor.position, loop::Expr(*o.run_end)));
  }
  const std::vector<loop::Reduction> reductions = vector_reductions();
  if (options.mode == loop::LoopMode::Serial && options.unroll == 0 && !reductions.empty()) {
    options.mode = loop::LoopMode::Vector;
    options.reductions = reductions;
  }
  out.push_back(loop::for_loop(counter, first, past, loop::block(std::move(inside)), options));
}

/// The loop over every coordinate of a tile.
void LoopLowerer::emit_tile(Statements& out) {
  internal_check(open_.empty(), "the loop over {} adds to a tile and follows cursors", forall_.var.name());
  loop::LoopOptions options = execution_of(context_, forall_, scope_);
  TileState& tile = *scope_.tile;
  const loop::Var at = context_.fresh_index(tile.counter);
  tile.at = at;
  const bool whole = std::holds_alternative<loop::Constant>(tile.count.node().kind);
  if (!whole) options.unroll = 0;
  const loop::Var v = context_.fresh_index(forall_.var.name());
  const Statements inside{loop::declare(v, tile.first + loop::Expr(at)), body(v, {}, true)};
  out.push_back(loop::for_loop(at, loop::Expr(0), tile.count, loop::block(inside), options));
}

/// The scalar that an innermost loop over dense operands adds to: compilers do not reorder floating-point sums by
/// themselves, so the loop says that it may be (semantics.md leaves the order of a sum open).
std::vector<loop::Reduction> LoopLowerer::vector_reductions() const {
  const auto* assign = std::get_if<concrete::Assign>(&forall_.body->kind);
  if (assign == nullptr || !assign->accumulate || !open_.empty()) return {};
  const auto scalar = scope_.scalars.find(assign->target.tensor);
  if (scalar == scope_.scalars.end() || !is_float(scalar->second.value.type().scalar)) return {};
  if (scalar->second.has || scalar->second.structural) return {};
  for (const Access& a : accesses(assign->rhs)) {
    const int p = context_.path_of(a);
    if (p < 0) continue;
    const Format& format = context_.program().at(a.tensor).format;
    for (int k = scope_.paths[static_cast<std::size_t>(p)].level; k < format.order(); ++k)
      if (!format.level(k).full()) return {};
  }
  return {{scalar->second.value, loop::StoreOp::Add}};
}

/// The loop over one level's positions.
void LoopLowerer::emit_single(int c, Statements& out) {
  const loop::LoopOptions options = execution_of(context_, forall_, scope_);
  Open& o = open_[static_cast<std::size_t>(c)];
  const bool is_counted_loop = o.cursor.unique && o.nodes == nullptr;
  open_cursors(lattice_.following | (is_counted_loop ? 0 : Mask{1} << c), out);
  const loop::Var v = context_.fresh_index(forall_.var.name());
  std::vector<loop::Expr> present(open_.size(), loop::Expr(false));
  present[static_cast<std::size_t>(c)] = loop::Expr(true);
  Statements inside;
  if (forall_.how.prefetch > 0 && !prefetch_ahead(context_, forall_, o.at, o.cursor.position, scope_, inside))
    refuse("prefetch",
           "the coordinates of {} lead to nothing that is stored densely; prefetch in a loop that dense "
           "operands "
           "have as the first of their variables that is not known yet",
           forall_.var.name());
  inside.push_back(loop::declare(v, at_head(c)));
  if (is_counted_loop) {
    catch_up(lattice_.following, v, inside);
    for (int f = 0; f < static_cast<int>(open_.size()); ++f)
      if (has(lattice_.following, f)) present[static_cast<std::size_t>(f)] = live(f) && loop::eq(at_head(f), v);
    inside.push_back(body(v, present, false));
    if (options.mode == loop::LoopMode::Serial) inside.push_back(forget_entry(o, v));
    out.push_back(
        loop::for_loop(o.cursor.position, o.cursor.begin, o.cursor.end, loop::block(std::move(inside)), options));
    return;
  }
  find_run_ends(Mask{1} << c, v, inside);
  catch_up(lattice_.following, v, inside);
  for (int f = 0; f < static_cast<int>(open_.size()); ++f)
    if (has(lattice_.following, f)) present[static_cast<std::size_t>(f)] = live(f) && loop::eq(at_head(f), v);
  inside.push_back(body(v, present, false));
  inside.push_back(o.nodes != nullptr ? step(o) : loop::assign(o.cursor.position, loop::Expr(*o.run_end)));
  out.push_back(loop::while_loop(live(c), loop::block(std::move(inside))));
}

loop::Stmt LoopLowerer::body(const loop::Expr& coordinate, const std::vector<loop::Expr>& present, bool covers) {
  Scope scope = scope_;
  Statements before;
  scope.coordinate[forall_.var] = coordinate;
  scope.covers = scope_.covers && covers && scope_.positions.empty();
  for (std::size_t c = 0; c < open_.size(); ++c) {
    PathState& state = scope.paths[static_cast<std::size_t>(open_[c].cursor.path)];
    ++state.level;
    state.at = loop::is_false(present[c]) ? Handle{loop::Expr(0), {}, loop::Expr(false)}
                                          : handle_of(static_cast<int>(c), present[c], before);
  }
  before.push_back(nest_.results_.iteration(forall_, scope, [&](const Scope& inside) {
    Scope inner = inside;
    Statements out;
    find_entries(inner, out);
    resolve_located(context_, forall_.body, inner, out);
    const loop::Expr runs =
        some_is_there_ && runs_wherever_one_is(inner) ? loop::Expr(true) : may_run(context_, forall_.body, inner);
    inner.covers = inner.covers && loop::is_true(runs);
    Statements statements;
    nest_.lower(node_.children[0], inner, statements);
    out.push_back(loop::if_then(runs, loop::block(std::move(statements))));
    return loop::block(std::move(out));
  }));
  return loop::block(std::move(before));
}

void resolve_located(Context& context, const concrete::Stmt& stmt, Scope& scope, Statements& out) {
  const std::vector<int> reads = context.paths().reads(stmt);
  for (std::size_t p = 0; p < reads.size(); ++p) {
    if (reads[p] == 0) continue;
    const Path& path = context.paths()[p];
    PathState& state = scope.paths[p];
    while (state.level < static_cast<int>(path.variables.size())) {
      const auto bound = scope.coordinate.find(path.variables[static_cast<std::size_t>(state.level)]);
      if (bound == scope.coordinate.end()) break;
      if (const auto w = scope.workspaces.find(path.tensor); w != scope.workspaces.end()) {
        resolve_in_workspace(*w->second, path, scope, state, out);
      } else if (!loop::is_false(state.at.present)) {
        const LevelAt at{path, state.level, context.program().at(path.tensor).format.level(state.level)};
        state.at = level_code(at.format.kind).locate(context, at, state.at, bound->second, out);
      }
      ++state.level;
    }
  }
}

}  // namespace lacuna
