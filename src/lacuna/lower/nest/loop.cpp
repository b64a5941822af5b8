#include "lacuna/lower/nest/loop.h"

#include <algorithm>
#include <bit>

#include "lacuna/concrete/refusal.h"
#include "lacuna/lower/nest/merge.h"
#include "lacuna/lower/nest/prefetch.h"
#include "lacuna/lower/nest/unmerged.h"
#include "lacuna/lower/nest/visits.h"
#include "lacuna/lower/workspace/workspace.h"

namespace lacuna {
namespace {

/// What a loop walks where some operands are known to have no entry may be less than what it walks anywhere.
iteration::Walks walks_in(const Context& context, const iteration::Node& node, const Scope& scope) {
  iteration::Standing standing;
  for (const PathState& state : scope.paths) {
    standing.level.push_back(state.level);
    standing.absent.push_back(loop::is_false(state.at.present));
  }
  const bool some_absent = std::find(standing.absent.begin(), standing.absent.end(), true) != standing.absent.end();
  if (!some_absent) return context.nest().loop_of(node).walks;
  return iteration::walks_of(context.program(), context.paths(), forall_of(node), standing);
}

/// Keys are taken as they were listed where one loop of its own runs through all of them and hands them on in any
/// order.
void ask_for_order(OpenLoop& loop) {
  const bool is_alone = loop.cursors.all().size() == 1 && loop.is_counted() && !loop.window &&
                        appends_in_any_order(loop.context.program(), loop.forall);
  for (const auto& cursor : loop.cursors.all())
    if (cursor->at.workspace != nullptr && !(is_alone && cursor->at.workspace->order() == 1))
      loop.scope.workspaces.at(cursor->at.path.tensor)->needs_order = true;
}

/// Only loops that assign to the result itself append to it, not those that fill a temporary.
void make_room(const OpenLoop& loop, const std::optional<loop::Expr>& most, Statements& out) {
  for (Assembler* result : loop.results.in(loop.forall.body)) out.push_back(result->before_loop(loop.forall.var, most));
}

/// How many positions a cursor has left, where they can be counted.
std::optional<loop::Expr> length_of(const Cursor& cursor) {
  const auto range = cursor.range();
  return range ? std::optional(range->second - range->first) : std::nullopt;
}

/// How often a merge computes at most: no coordinate comes twice, and each comes from some deciding cursor; a loop of
/// one term needs all of its cursors. How many elements nodes hold under a parent is not known.
std::optional<loop::Expr> most_iterations(const OpenLoop& loop) {
  const bool needs_all = loop.lattice.points.size() == 1;
  std::optional<loop::Expr> most;
  for (const int c : numbers(loop.lattice.deciding)) {
    const std::optional<loop::Expr> length = length_of(loop.cursors[c]);
    if (!length && !needs_all) return std::nullopt;
    if (!length) continue;
    if (!most) most = length;
    else most = needs_all ? loop::min(*most, *length) : *most + *length;
  }
  return most;
}

}  // namespace

OpenLoop::OpenLoop(Context& of_kernel, const Results& of_nest, const iteration::Node& forall_node, const Scope& around)
    : context(of_kernel),
      results(of_nest),
      node(forall_node),
      forall(forall_of(forall_node)),
      scope(around),
      window(Windows(context, around).of(forall.var)),
      cursors(context, forall.var) {
  narrow_to_positions(*this);
  iteration::Walks walks = walks_in(context, node, scope);
  for (const std::vector<iteration::LevelUse>* uses : {&walks.cursors, &walks.drained})
    for (const iteration::LevelUse& use : *uses) cursors.add(make_cursor(context, scope, forall.var, use, before));
  lattice = std::move(walks.lattice);
}

int OpenLoop::only_cursor() const {
  const bool is_alone = lattice.points.size() == 1 && std::has_single_bit(lattice.points[0]);
  return is_alone ? std::countr_zero(lattice.points[0]) : -1;
}

bool OpenLoop::is_stepped() const {
  return lattice.full || (only_cursor() >= 0 && !comes_to_nodes() && cursors[only_cursor()].unique);
}

bool OpenLoop::comes_to_nodes() const {
  return std::any_of(cursors.all().begin(), cursors.all().end(),
                     [](const auto& c) { return c->at.format.is_dynamic(); });
}

void OpenLoop::run_serially() {
  forall.how.unit = concrete::Unit::Serial;
  forall.how.race = concrete::Race::NoRaces;
  forall.how.unroll = 0;
}

void check_directives(const OpenLoop& loop) {
  const concrete::Execution& how = loop.forall.how;
  check_order_of_nodes(loop);
  if (how.unit == concrete::Unit::CpuVector && !loop.is_counted())
    refuse(how.race == concrete::Race::NoRaces ? "vectorize" : "parallelize",
           "the loop over {} moves on by what it finds in its operands, so its iterations cannot be counted; vectorize "
           "loops over coordinates, or over what one operand stores",
           loop.forall.var.name());
  if (how.unroll > 0 && !loop.is_stepped())
    refuse("unroll",
           "the loop over {} moves on by what it finds in its operands, so that every step has to look whether there "
           "is another; unroll loops over coordinates, or over what one operand stores",
           loop.forall.var.name());
  if (how.prefetch > 0 && (loop.cursors.all().size() != 1 || !loop.is_counted())) refuse_to_prefetch(loop.forall);
  check_galloping(loop);
}

void emit_loop(OpenLoop& loop, Statements& out) {
  const iteration::Lattice& lattice = loop.lattice;
  if (lattice.formula.is_never()) return;
  check_directives(loop);
  if (!is_visit(loop)) {
    ask_for_order(loop);
    for (const auto& cursor : loop.cursors.all()) cursor->narrow(loop.window, loop.before);
  }
  out.push_back(loop::comment("forall " + loop.forall.var.name()));
  out.insert(out.end(), loop.before.begin(), loop.before.end());
  if (is_visit(loop)) {
    make_room(loop, std::nullopt, out);
    emit_visit(loop, out);
  } else if (lattice.full) {
    make_room(loop, loop.high() - loop.low(), out);
    emit_full(loop, out);
  } else if (const int c = loop.only_cursor(); c >= 0) {
    make_room(loop, length_of(loop.cursors[c]), out);
    emit_single(loop, c, out);
  } else {
    loop.cursors.open(lattice.deciding | lattice.following, out);
    make_room(loop, most_iterations(loop), out);
    emit_merge(loop, out);
  }
}

}  // namespace lacuna
