#include "lacuna/lower/nest/merge.h"

#include <algorithm>
#include <bit>
#include <set>

#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/nest/body.h"

namespace lacuna {
namespace {

/// Whether a statement is so small that copies of it cost nothing: no loop in it.
bool is_small(const concrete::Stmt& s) {
  bool has_loop = false;
  concrete::each_loop(s, [&](const concrete::Forall&) { has_loop = true; });
  return !has_loop;
}

/// Over how many variables loops of the body merge what several operands store.
int merges_inside(const OpenLoop& loop) {
  const Context& context = loop.context;
  const std::vector<int> reads = context.paths().reads(loop.forall.body);
  const auto walks = [&](std::size_t p, const IndexVar& v) {
    const Path& path = context.paths()[p];
    const Format& format = context.program().at(path.tensor).format;
    for (int k = loop.scope.paths[p].level; k < static_cast<int>(path.variables.size()); ++k)
      if (path.variables[static_cast<std::size_t>(k)] == v && format.level(k).walks()) return true;
    return false;
  };
  std::set<IndexVar> merged;
  concrete::each_loop(loop.forall.body, [&](const concrete::Forall& f) {
    for (const IndexVar& v : context.program().provenance.underived(f.var)) {
      int walked = 0;
      for (std::size_t p = 0; p < reads.size(); ++p)
        if (reads[p] > 0 && walks(p, v)) ++walked;
      if (walked > 1) merged.insert(v);
    }
  });
  return static_cast<int>(merged.size());
}

/// Whether a case for each point would be too much code: the body, with loops in it, is copied into every one. Where
/// these are merges, too, their bodies are copied again: the code would grow with a power of their number.
bool is_bulky(const OpenLoop& loop) {
  constexpr std::size_t few_points = 4;
  constexpr int few_merges = 2;
  if (loop.lattice.points.size() > few_points) return !is_small(loop.forall.body);
  return loop.lattice.points.size() > 1 && merges_inside(loop) > few_merges;
}

class Merge {
 public:
  explicit Merge(OpenLoop& loop) : loop_(loop), lattice_(loop.lattice), cursors_(loop.cursors) {}

  void emit(Statements& out) {
    if (!lattice_.enumerated || is_bulky(loop_)) return emit_compact(out);
    for (const CursorSet point : lattice_.points) {
      Statements inside;
      cursors_.declare_heads(point, inside);
      if (is_compared(point)) inside.push_back(compare_heads(point, first_of(point), point & ~first_of(point)));
      else emit_cases(point, inside);
      out.push_back(loop::while_loop(cursors_.all_live(point), loop::block(std::move(inside))));
    }
  }

 private:
  /// Comparing the heads one after the other is what branch predictors like best, and needs no smallest head; the
  /// number of outcomes grows with 3^cursors, so it is done for two, and for three where the body is small.
  bool is_compared(CursorSet point) const {
    const int cursors = std::popcount(point);
    return lattice_.following == 0 && (cursors == 2 || (cursors == 3 && is_small(loop_.forall.body)));
  }

  /// The smallest head as the loop's coordinate; the cursors that follow catch up with it.
  loop::Var declare_smallest(CursorSet which, Statements& out) {
    const loop::Var v = loop_.context.named(loop_.forall.var.name(), cursors_.smallest_head(which), out);
    cursors_.find_run_ends(which, v, out);
    cursors_.catch_up(lattice_.following, v, out);
    return v;
  }

  /// At the smallest head: one case for each point below.
  void emit_cases(CursorSet point, Statements& out) {
    const loop::Var v = declare_smallest(point, out);
    const std::vector<CursorSet> below = iteration::points_below(lattice_, point);
    CursorSet alone = 0;  // cursors whose match is enough for some case
    for (const CursorSet b : below)
      if (std::has_single_bit(b)) alone |= b;
    loop::Stmt cases;
    for (auto it = below.rbegin(); it != below.rend(); ++it) {
      const CursorSet matched = *it;
      Presences present = cursors_.presences(matched, lattice_.following, v);
      loop::Expr condition(true);
      for (const int c : numbers(point)) {
        const loop::Expr matches = loop::eq(cursors_.head(c), v);
        if (has(matched, c)) condition = condition && matches;
        else if (!iteration::known_absent(lattice_, matched, c)) present.emplace(c, matches);
      }
      // The smallest head matches some cursor; where each alone makes a case, the last case needs no test.
      const bool is_certain = std::has_single_bit(point) || (it == below.rbegin() && alone == point);
      const loop::Stmt inner = body_at(loop_, v, present);
      cases = is_certain ? inner : loop::if_then(condition, inner, cases);
    }
    out.push_back(cases);
    cursors_.advance(point, v, out);
  }

  /// One loop for a formula of many points: presence is a flag a cursor instead of a case a combination.
  void emit_compact(Statements& out) {
    loop::Expr some_live(false);
    for (const CursorSet term : lattice_.formula.terms()) some_live = some_live || cursors_.all_live(term);
    Statements inside;
    cursors_.declare_heads(lattice_.deciding, inside, loop_.high());
    const loop::Var v = declare_smallest(lattice_.deciding, inside);
    Presences present = cursors_.presences(0, lattice_.following, v);
    for (const int c : numbers(lattice_.deciding)) present.emplace(c, loop::eq(cursors_.head(c), v));
    // The smallest head is some cursor's.
    const IsRun is_run = [&](const Scope& scope) { return runs_wherever_one_is(scope); };
    inside.push_back(body_at(loop_, v, present, false, is_run));
    cursors_.advance(lattice_.deciding, v, inside);
    out.push_back(loop::while_loop(some_live, loop::block(std::move(inside))));
  }

  /// Whether the body runs wherever any one of the deciding cursors is: then it need not ask which.
  bool runs_wherever_one_is(const Scope& inside) const {
    for (const int there : numbers(lattice_.deciding)) {
      Scope scope = inside;
      for (const auto& cursor : cursors_.all()) {
        PathState& state = scope.paths[static_cast<std::size_t>(cursor->path)];
        if (state.level != cursor->at.level + 1) return false;  // what is located under it may be absent
        state.at.present = loop::Expr(cursor.get() == &cursors_[there]);
      }
      if (!loop::is_true(may_run(loop_.context, loop_.forall.body, scope))) return false;
    }
    return true;
  }

  /// Compares the heads of a point, computes at the smallest, and moves those that are there. `smallest`: the cursors
  /// whose heads are equal and smaller than all that were compared; `left`: those yet to compare.
  loop::Stmt compare_heads(CursorSet point, CursorSet smallest, CursorSet left) {
    if (left == 0) return at_smallest(point, smallest);
    const CursorSet next = first_of(left), rest = left & ~next;
    const loop::Expr a = cursors_.head(std::countr_zero(smallest)), b = cursors_.head(std::countr_zero(next));
    return loop::if_then(
        a < b, compare_heads(point, smallest, rest),
        loop::if_then(b < a, compare_heads(point, next, rest), compare_heads(point, smallest | next, rest)));
  }

  /// The case in which exactly these cursors have the smallest head.
  loop::Stmt at_smallest(CursorSet point, CursorSet smallest) {
    Statements out;
    const loop::Expr coordinate = cursors_.head(std::countr_zero(smallest));
    cursors_.find_run_ends(smallest, coordinate, out);
    const std::vector<CursorSet> below = iteration::points_below(lattice_, point);
    if (std::any_of(below.begin(), below.end(), [&](CursorSet b) { return (b & ~smallest) == 0; }))
      out.push_back(body_at(loop_, coordinate, cursors_.presences(smallest, 0, coordinate)));
    for (const int c : numbers(smallest)) out.push_back(cursors_[c].next());
    return loop::block(std::move(out));
  }

  OpenLoop& loop_;
  const iteration::Lattice& lattice_;
  Cursors& cursors_;
};

/// Whether the coordinates that are left can be searched.
bool is_searched(const Cursor& cursor) {
  if (cursor.at.workspace != nullptr) return cursor.unique;
  if (cursor.at.format.is_dynamic()) return cursor.at.format.ordered;
  return cursor.at.format == LevelFormat::compressed();
}

bool is_intersection(const OpenLoop& loop) { return loop.lattice.points.size() == 1 && loop.lattice.following == 0; }

/// While every cursor is live: those behind the largest head leap to it; where all are there, computes and moves on.
void emit_galloping(OpenLoop& loop, Statements& out) {
  Cursors& cursors = loop.cursors;
  const CursorSet point = loop.lattice.points[0];
  Statements inside;
  cursors.declare_heads(point, inside);
  loop::Expr largest, all_there(true);
  for (const int c : numbers(point))
    largest = largest.defined() ? loop::max(largest, cursors.head(c)) : cursors.head(c);
  const loop::Var target = loop.context.named(loop.forall.var.name(), largest, inside);
  Statements leaps, move;
  for (const int c : numbers(point)) {
    all_there = all_there && loop::eq(cursors.head(c), target);
    Statements leap;
    cursors[c].leap(target, leap);
    leaps.push_back(loop::if_then(cursors.head(c) < loop::Expr(target), loop::block(std::move(leap))));
    move.push_back(cursors[c].next());
  }
  const loop::Stmt computed = body_at(loop, target, cursors.presences(point, 0, target));
  inside.push_back(
      loop::if_then(all_there, loop::block({computed, loop::block(std::move(move))}), loop::block(std::move(leaps))));
  out.push_back(loop::while_loop(cursors.all_live(point), loop::block(std::move(inside))));
}

}  // namespace

bool is_galloped(const OpenLoop& loop) {
  const auto& cursors = loop.cursors.all();
  return loop.forall.how.merge == concrete::Merge::Gallop && is_intersection(loop) && cursors.size() > 1 &&
         std::all_of(cursors.begin(), cursors.end(), [](const auto& each) { return is_searched(*each); });
}

void check_galloping(const OpenLoop& loop) {
  if (loop.forall.how.merge != concrete::Merge::Gallop) return;
  if (loop.cursors.all().size() < 2) refuse_to_gallop(loop.forall);
  if (!is_intersection(loop))
    refuse("mergeby",
           "the loop over {} also computes where some of its operands store nothing, so it visits every entry; only "
           "loops in which every operand must store an entry can gallop",
           loop.forall.var.name());
  for (const auto& cursor : loop.cursors.all())
    if (!is_searched(*cursor))
      refuse("mergeby",
             "{} stores {} in a level that cannot be searched; compressed levels that are ordered and unique can, and "
             "nodes in order",
             cursor->at.path.tensor.name(), loop.forall.var.name());
}

void refuse_to_gallop(const concrete::Forall& f) {
  refuse("mergeby", "the loop over {} merges nothing, so there is nothing to gallop to; leave this directive out",
         f.var.name());
}

void emit_merge(OpenLoop& loop, Statements& out) {
  if (is_galloped(loop)) emit_galloping(loop, out);
  else Merge(loop).emit(out);
}

}  // namespace lacuna
