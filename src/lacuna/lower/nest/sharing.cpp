#include "lacuna/lower/nest/sharing.h"

#include <algorithm>

#include <fmt/core.h>

#include "lacuna/concrete/walk.h"
#include "lacuna/dynamic/code/load.h"
#include "lacuna/dynamic/schema/properties.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/nest/merge.h"
#include "lacuna/lower/nest/parallel.h"
#include "lacuna/lower/nest/visits.h"

namespace lacuna {
namespace {

class WorkloadFinder {
 public:
  explicit WorkloadFinder(const OpenLoop& loop) : loop_(loop), context_(loop.context) {}

  Workload run() {
    work_.every_coordinate = loop_.lattice.full;
    work_.leaps = is_galloped(loop_);
    for (const auto& cursor : loop_.cursors.all()) add_walked(*cursor);
    if (loop_.lattice.full) add_located();
    note_loops_inside(loop_.forall.body);
    return work_;
  }

 private:
  void add_walked(const Cursor& cursor) {
    // What a workspace will have collected, and what nodes hold, is not known where the loop is cut.
    if (cursor.at.workspace != nullptr || cursor.at.format.is_dynamic()) {
      const bool is_list = cursor.at.format.is_dynamic() &&
                           schema::recursion_of(cursor.at.format.definition->nodes) == schema::Recursion::OneChild;
      work_.from_head = work_.from_head || is_list;
      work_.every_coordinate = true;
      work_.leaps = false;
      return;
    }
    work_.operands.push_back({cursor.at, cursor.parent(), counted_level(context_, loop_.scope, cursor.at)});
  }

  /// The dense operands that the loop finds its place in, where levels below tell of work.
  void add_located() {
    for (std::size_t p = 0; p < loop_.scope.paths.size(); ++p) {
      const Path& path = context_.paths()[p];
      const PathState& state = loop_.scope.paths[p];
      const auto level = static_cast<std::size_t>(state.level);
      if (level == path.variables.size() || !(path.variables[level] == loop_.forall.var)) continue;
      if (context_.program().at(path.tensor).role == concrete::Role::Workspace) continue;
      const LevelAt at{path, state.level, context_.program().at(path.tensor).format.level(state.level)};
      const bool located = at.format.full() && loop::is_true(state.at.present) && !state.at.is_range();
      if (!located || !context_.paths().is_read(p, loop_.forall.body)) continue;
      const int counted = counted_level(context_, loop_.scope, at);
      if (counted > at.level) work_.operands.push_back({at, state.at, counted});
    }
  }

  void note_loops_inside(const concrete::Stmt& s) {
    if (const auto* f = std::get_if<concrete::Forall>(&s->kind); f != nullptr && !is_counted(f->var))
      note_uncounted(f->var);
    concrete::each_part(s, [&](const concrete::Stmt& x) { note_loops_inside(x); });
  }

  /// Whether a loop inside goes through levels whose entries are counted.
  bool is_counted(const IndexVar& var) const {
    return std::any_of(work_.operands.begin(), work_.operands.end(), [&](const Workload::Operand& o) {
      const auto v = o.at.path.variables.begin();
      return std::find(v + o.at.level + 1, v + o.counted + 1, var) != v + o.counted + 1;
    });
  }

  /// No loop inside may go through entries that nothing counts; one over a whole extent multiplies the work.
  void note_uncounted(const IndexVar& loop_var) {
    const concrete::Provenance& provenance = context_.program().provenance;
    const std::vector<IndexVar> own = provenance.underived(loop_.forall.var);
    for (const IndexVar& v : provenance.underived(loop_var)) {
      if (contains(own, v) || !is_dense_everywhere(v)) {
        work_.even = false;
        return;
      }
      if (contains(noted_, v)) continue;
      noted_.push_back(v);
      work_.turns_an_entry = times(work_.turns_an_entry, minus(context_.high(v), context_.low(v)));
    }
  }

  /// Whether no operand stores only some of a variable's coordinates.
  bool is_dense_everywhere(const IndexVar& v) const {
    return std::all_of(context_.paths().begin(), context_.paths().end(), [&](const Path& path) {
      const Format& format = context_.program().at(path.tensor).format;
      for (std::size_t k = 0; k < path.variables.size(); ++k)
        if (path.variables[k] == v && !format.level(static_cast<int>(k)).full()) return false;
      return true;
    });
  }

  const OpenLoop& loop_;
  Context& context_;
  Workload work_;
  std::vector<IndexVar> noted_;  // variables of loops over whole extents
};

/// The coordinates of a loop, where pieces of pieces may reach past the end: none of them then.
Window within_extent(OpenLoop& loop, Statements& out) {
  const Window run{loop.low(), loop.high()};
  if (loop.is_whole()) return run;
  const IndexVar& var = loop.forall.var;
  const loop::Var first = loop.context.named(var.name() + "_first", loop::min(run.low, loop.context.high(var)), out);
  return {first, loop.context.named(var.name() + "_past", loop::max(first, run.high), out)};
}

/// Where a parallel loop is cut. Loops inside no other are cut before the nest, once for all passes over it.
Shares shares_of(OpenLoop& loop, bool outermost, Statements& out) {
  Context& context = loop.context;
  const IndexVar& var = loop.forall.var;
  out.insert(out.end(), loop.before.begin(), loop.before.end());
  loop.before.clear();
  if (!outermost) return cut_by_work(context, var, within_extent(loop, out), loop.is_whole(), workload_of(loop), out);
  const concrete::Forall* key = &forall_of(loop.node);
  if (const auto known = context.shares.find(key); known != context.shares.end()) return known->second;
  context.prologue.push_back(loop::comment(fmt::format("Shares of {}, each of about the same work.", var.name())));
  const Shares shares = cut_by_work(context, var, {loop.low(), loop.high()}, true, workload_of(loop), context.prologue);
  context.epilogue.push_back(loop::release(shares.cuts));
  context.shares.emplace(key, shares);
  return shares;
}

/// A parallel loop whose iterations are found one after the other, append to the result, or differ in work that
/// positions tell of: threads take shares of its coordinates.
void emit_shares(OpenLoop& loop, bool outermost, Statements& out) {
  Context& context = loop.context;
  const std::string& name = loop.forall.var.name();
  const std::vector<Assembler*> results = appended_results(loop.results, loop.forall);
  const Shares shares = shares_of(loop, outermost, out);
  loop::LoopOptions options = execution_of(context, loop.forall, loop.scope);
  options.grain = 1;
  const loop::Var share = context.fresh_index(name + "_share");
  const Workload work = workload_of(loop);
  const loop::Expr stored = !results.empty() && !work.leaps ? context.stored_entries() : loop::Expr(0);
  // Rows of a product may hold many times what its operands store.
  const loop::Expr room = work.counts_all() || loop::is_constant(stored, 0) ? stored : loop::Expr(4) * stored;
  const loop::Expr entries = loop::is_constant(room, 0) ? room : room / loop::Expr(shares.count);
  SharedResults shared(results,
                       {&forall_of(loop.node), shares.count, entries,
                        [&](const loop::Expr& iteration) { return coordinates_of(shares, iteration); }},
                       out);
  Statements body;
  shared.enter(share, body);
  const Window run = coordinates_of(shares, share);
  const loop::Var begin = context.named(name + "_begin", run.low, body);
  loop.window = Window{begin, context.named(name + "_end", run.high, body)};
  loop.run_serially();
  emit_loop(loop, body);
  shared.leave(share, body);
  out.push_back(loop::for_loop(share, loop::Expr(0), shares.count, loop::block(std::move(body)), options));
  shared.after(out);
  if (!outermost) out.push_back(loop::release(shares.cuts));
}

/// Whether its operands can be searched for where a share begins.
bool can_be_cut(const OpenLoop& loop) {
  const auto& cursors = loop.cursors.all();
  return std::all_of(cursors.begin(), cursors.end(),
                     [](const auto& each) { return each->at.workspace != nullptr || each->at.format.ordered; });
}

}  // namespace

Workload workload_of(const OpenLoop& loop) { return WorkloadFinder(loop).run(); }

SharedResults::SharedResults(std::vector<Assembler*> results, Assembler::Sharing sharing, Statements& before)
    : results_(std::move(results)), sharing_(std::move(sharing)) {
  for (Assembler* each : results_) each->before_sharing(sharing_, before);
}

void SharedResults::enter(const loop::Expr& iteration, Statements& body) {
  for (Assembler* each : results_) each->enter_share(iteration, body);
}

void SharedResults::leave(const loop::Expr& iteration, Statements& body) {
  for (Assembler* each : results_) each->leave_share(iteration, body);
}

void SharedResults::after(Statements& out) {
  for (Assembler* each : results_) each->after_sharing(sharing_, out);
}

std::vector<Assembler*> appended_results(const Results& results, const concrete::Forall& f) {
  if (!concrete::on_threads(f.how.unit)) return {};
  std::vector<Assembler*> assigned = results.in(f.body);
  const bool appends = std::any_of(assigned.begin(), assigned.end(), [](const Assembler* each) {
    const concrete::Assembly assembly = each->result().assembly;
    return assembly == concrete::Assembly::Append || assembly == concrete::Assembly::Stream;
  });
  return appends ? assigned : std::vector<Assembler*>{};
}

void emit_shared(OpenLoop& loop, Statements& out) {
  const bool appends = !appended_results(loop.results, loop.forall).empty();
  if (!appends && comes_to_all_nodes(loop)) return emit_shared_visit(loop, out);
  const bool outermost = loop.scope.coordinate.empty() && loop.is_whole();
  const bool device = loop.context.options().device;
  const auto is_uneven = [&] { return outermost && can_be_cut(loop) && workload_of(loop).is_uneven(); };
  if (!loop.is_counted() || (!device && (appends || is_uneven()))) emit_shares(loop, outermost, out);
  else emit_loop(loop, out);
}

}  // namespace lacuna
