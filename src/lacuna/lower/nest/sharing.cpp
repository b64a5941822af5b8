// How threads share out the iterations of a loop that no schedule has cut into pieces: in shares of equal work.

#include <algorithm>

#include "lacuna/concrete/structure.h"
#include "lacuna/format/schema/load.h"
#include "lacuna/format/schema/properties.h"
#include "lacuna/lower/context/arithmetic.h"
#include "lacuna/lower/nest/balance.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/parallel.h"

namespace lacuna {

/// Whether a parallel loop puts a result together out of what its iterations append.
bool NestLowerer::appends_in(const concrete::Forall& f) const {
  if (f.how.unit != concrete::Unit::CpuThread) return false;
  const std::vector<Assembler*> results = results_.in(f.body);
  return std::any_of(results.begin(), results.end(), [](const Assembler* each) {
    const concrete::Assembly assembly = each->result().assembly;
    return assembly == concrete::Assembly::Append || assembly == concrete::Assembly::Stream;
  });
}

/// Where a parallel loop is cut. Loops inside no other are cut before the nest, once for all passes over it.
Shares NestLowerer::shares_of(const concrete::Forall& f, LoopLowerer& loop, bool outermost, Statements& out) {
  loop.prepare(out);
  if (!outermost)
    return cut_by_work(context_, f.var, within_extent(f.var, loop, out), loop.is_whole(), loop.workload(), out);
  if (const auto known = context_.shares.find(&f); known != context_.shares.end()) return known->second;
  context_.prologue.push_back(loop::comment(fmt::format("Shares of {}, each of about the same work.", f.var.name())));
  const Shares shares = cut_by_work(context_, f.var, loop.run(), true, loop.workload(), context_.prologue);
  context_.epilogue.push_back(loop::release(shares.cuts));
  context_.shares.emplace(&f, shares);
  return shares;
}

/// The coordinates of a loop, where pieces of pieces may reach past the end: none of them then.
Window NestLowerer::within_extent(const IndexVar& var, LoopLowerer& loop, Statements& out) {
  const Window run = loop.run();
  if (loop.is_whole()) return run;
  const loop::Var first = context_.fresh_index(var.name() + "_first"),
                  past = context_.fresh_index(var.name() + "_past");
  out.push_back(loop::declare(first, loop::min(run.low, context_.high(var))));
  out.push_back(loop::declare(past, loop::max(first, run.high)));
  return {first, past};
}

/// A parallel loop whose iterations are found one after the other, append to the result, or differ in work that
/// positions tell of: threads take shares of its coordinates.
void NestLowerer::lower_shares(const concrete::Forall& f, LoopLowerer& loop, bool outermost, Statements& out) {
  const Shares shares = shares_of(f, loop, outermost, out);
  loop::LoopOptions options = loop.execution();
  options.grain = 1;
  const loop::Var share = context_.fresh_index(f.var.name() + "_share");
  const Workload work = loop.workload();
  const loop::Expr stored = appends_in(f) && !work.leaps ? context_.stored_entries() : loop::Expr(0);
  // Rows of a product may hold many times what its operands store.
  const loop::Expr room = work.counts_all() || loop::is_constant(stored, 0) ? stored : loop::Expr(4) * stored;
  const loop::Expr entries = loop::is_constant(room, 0) ? room : room / loop::Expr(shares.count);
  const Assembler::Sharing sharing{shares.count, entries,
                                   [&](const loop::Expr& iteration) { return coordinates_of(shares, iteration); }};
  Statements body;
  const std::vector<Assembler*> results = appends_in(f) ? results_.in(f.body) : std::vector<Assembler*>{};
  for (Assembler* each : results) {
    each->before_sharing(sharing, out);
    each->enter_share(body);
  }
  const loop::Var begin = context_.fresh_index(f.var.name() + "_begin");
  const loop::Var end = context_.fresh_index(f.var.name() + "_end");
  body.push_back(loop::declare(begin, coordinates_of(shares, share).low));
  body.push_back(loop::declare(end, coordinates_of(shares, share).high));
  loop.restrict_to({begin, end});
  loop.lower(body);
  for (Assembler* each : results) each->leave_share(share, body);
  out.push_back(loop::for_loop(share, loop::Expr(0), shares.count, loop::block(std::move(body)), options));
  for (Assembler* each : results) each->after_sharing(sharing, out);
  if (!outermost) out.push_back(loop::release(shares.cuts));
}

namespace {

bool is_list(const LevelFormat& level) {
  return level.is_dynamic() && schema::recursion_of(level.definition->nodes) == schema::Recursion::OneChild;
}

}  // namespace

bool LoopLowerer::can_be_shared() const {
  return std::all_of(open_.begin(), open_.end(),
                     [](const Open& o) { return o.at.workspace != nullptr || o.at.format.ordered; });
}

Workload LoopLowerer::workload() const {
  Workload work;
  work.every_coordinate = lattice_.full;
  work.leaps = is_galloped();
  for (const Open& o : open_) {
    // What a workspace will have collected, and what nodes hold, is not known where the loop is cut.
    if (o.at.workspace != nullptr || o.at.format.is_dynamic()) {
      work.from_head = work.from_head || is_list(o.at.format);
      work.every_coordinate = true;
      work.leaps = false;
      continue;
    }
    const PathState& state = scope_.paths[static_cast<std::size_t>(o.cursor.path)];
    work.operands.push_back({o.at, state.at, counted_level(context_, scope_, o.at)});
  }
  if (lattice_.full) add_located(work);
  std::vector<IndexVar> seen;
  note_loops_inside(work, forall_.body, seen);
  return work;
}

/// The dense operands that the loop finds its place in, where levels below tell of work.
void LoopLowerer::add_located(Workload& work) const {
  for (std::size_t p = 0; p < scope_.paths.size(); ++p) {
    const Path& path = context_.paths()[p];
    const PathState& state = scope_.paths[p];
    const auto level = static_cast<std::size_t>(state.level);
    if (level == path.variables.size() || !(path.variables[level] == forall_.var)) continue;
    if (context_.program().at(path.tensor).role == concrete::Role::Workspace) continue;
    const LevelAt at{path, state.level, context_.program().at(path.tensor).format.level(state.level)};
    const bool located = at.format.full() && loop::is_true(state.at.present) && !state.at.is_range();
    if (!located || !context_.paths().is_read(p, forall_.body)) continue;
    const int counted = counted_level(context_, scope_, at);
    if (counted > at.level) work.operands.push_back({at, state.at, counted});
  }
}

/// Notes what the loops in the statement do for each entry that the operands of the workload count: none may go through
/// entries that nothing counts, and each over a whole extent multiplies the work. `seen`: variables that are noted.
void LoopLowerer::note_loops_inside(Workload& work, const concrete::Stmt& s, std::vector<IndexVar>& seen) const {
  concrete::match(
      s,
      [&](const concrete::Forall& f) {
        const bool counted = std::any_of(work.operands.begin(), work.operands.end(), [&](const auto& o) {
          const std::vector<IndexVar>& v = o.at.path.variables;
          return std::find(v.begin() + o.at.level + 1, v.begin() + o.counted + 1, f.var) != v.begin() + o.counted + 1;
        });
        if (!counted) note_uncounted(work, f.var, seen);
        note_loops_inside(work, f.body, seen);
      },
      [&](const concrete::Where& w) {
        note_loops_inside(work, w.producer, seen);
        note_loops_inside(work, w.consumer, seen);
      },
      [](const concrete::Assign&) {},
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) note_loops_inside(work, x, seen);
      });
}

void LoopLowerer::note_uncounted(Workload& work, const IndexVar& loop_var, std::vector<IndexVar>& seen) const {
  const std::vector<IndexVar> own = context_.program().provenance.underived(forall_.var);
  for (const IndexVar& v : context_.program().provenance.underived(loop_var)) {
    if (std::find(own.begin(), own.end(), v) != own.end() || !is_dense_everywhere(v)) {
      work.even = false;
      return;
    }
    if (std::find(seen.begin(), seen.end(), v) != seen.end()) continue;
    seen.push_back(v);
    work.turns_an_entry = times(work.turns_an_entry, minus(context_.high(v), context_.low(v)));
  }
}

/// Whether no operand stores only some of a variable's coordinates.
bool LoopLowerer::is_dense_everywhere(const IndexVar& v) const {
  return std::all_of(context_.paths().begin(), context_.paths().end(), [&](const Path& path) {
    const Format& format = context_.program().at(path.tensor).format;
    for (std::size_t k = 0; k < path.variables.size(); ++k)
      if (path.variables[k] == v && !format.level(static_cast<int>(k)).full()) return false;
    return true;
  });
}

void LoopLowerer::prepare(Statements& out) {
  out.insert(out.end(), before_.begin(), before_.end());
  before_.clear();
}

loop::LoopOptions LoopLowerer::execution() { return execution_of(context_, forall_, scope_); }

void LoopLowerer::restrict_to(const Window& share) {
  window_ = share;
  run_serially();
}

void LoopLowerer::run_serially() {
  forall_.how.unit = concrete::Unit::Serial;
  forall_.how.race = concrete::Race::NoRaces;
  forall_.how.unroll = 0;
}

}  // namespace lacuna
