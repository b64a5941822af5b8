// How a merge of several cursors finds the coordinates at which something is computed.

#include <algorithm>
#include <set>

#include "lacuna/concrete/refusal.h"
#include "lacuna/concrete/structure.h"
#include "lacuna/concrete/walk.h"
#include "lacuna/lower/compute/expression.h"
#include "lacuna/lower/nest/nest.h"
#include "lacuna/lower/nest/prefetch.h"

namespace lacuna {
namespace {

int first_of(std::uint64_t mask) { return __builtin_ctzll(mask); }

/// Whether a statement is so small that copies of it cost nothing: no loop in it.
bool is_small(const concrete::Stmt& s) {
  return concrete::match(
      s, [](const concrete::Forall&) { return false; },
      [](const concrete::Where& w) { return is_small(w.producer) && is_small(w.consumer); },
      [](const concrete::Assign&) { return true; },
      [](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements)
          if (!is_small(x)) return false;
        return true;
      });
}

}  // namespace

/// Whether the coordinates that are left can be searched.
bool LoopLowerer::is_searched(const Open& o) {
  if (o.at.workspace != nullptr) return o.cursor.unique;
  if (o.nodes != nullptr) return true;
  return o.at.format == LevelFormat::compressed();
}

/// Whether a case for each point would be too much code: the body, with loops in it, is copied into every one. Where
/// these are merges, too, their bodies are copied again: the code would grow with a power of their number.
bool LoopLowerer::is_bulky() const {
  constexpr std::size_t few_points = 4;
  constexpr int few_merges = 2;
  if (lattice_.points.size() > few_points) return !is_small(forall_.body);
  return lattice_.points.size() > 1 && merges_inside() > few_merges;
}

/// Over how many variables loops of the body merge what several operands store.
int LoopLowerer::merges_inside() const {
  const std::vector<int> reads = context_.paths().reads(forall_.body);
  const auto walks = [&](std::size_t p, const IndexVar& v) {
    const Path& path = context_.paths()[p];
    const Format& format = context_.program().at(path.tensor).format;
    for (int k = scope_.paths[p].level; k < static_cast<int>(path.variables.size()); ++k)
      if (path.variables[static_cast<std::size_t>(k)] == v && format.level(k).walks()) return true;
    return false;
  };
  std::set<IndexVar> merged;
  concrete::each_loop(forall_.body, [&](const concrete::Forall& f) {
    for (const IndexVar& v : context_.program().provenance.underived(f.var)) {
      int walked = 0;
      for (std::size_t p = 0; p < reads.size(); ++p)
        if (reads[p] > 0 && walks(p, v)) ++walked;
      if (walked > 1) merged.insert(v);
    }
  });
  return static_cast<int>(merged.size());
}

/// Comparing the heads one after the other is what branch predictors like best, and needs no smallest head; the number
/// of outcomes grows with 3^cursors, so it is done for two, and for three where the body is small.
bool LoopLowerer::is_compared(Mask point) const {
  const int cursors = __builtin_popcountll(point);
  return lattice_.following == 0 && (cursors == 2 || (cursors == 3 && is_small(forall_.body)));
}

loop::Expr LoopLowerer::all_live(Mask point) const {
  loop::Expr all(true);
  for (int c = 0; c < static_cast<int>(open_.size()); ++c)
    if (has(point, c)) all = all && live(c);
  return all;
}

/// While every cursor of the point is live: one case for each point below it.
void LoopLowerer::emit_point(Mask point, Statements& out) {
  if (is_compared(point)) return emit_compared(point, out);
  Statements inside;
  declare_heads(point, false, inside);
  const loop::Var v = context_.fresh_index(forall_.var.name());
  inside.push_back(loop::declare(v, smallest_head(point)));
  find_run_ends(point, v, inside);
  catch_up(lattice_.following, v, inside);

  const std::vector<Mask> below = points_below(lattice_, point);
  Mask alone = 0;  // cursors whose match is enough for some case
  for (const Mask b : below)
    if ((b & (b - 1)) == 0) alone |= b;
  loop::Stmt cases;
  for (auto it = below.rbegin(); it != below.rend(); ++it) {
    const Mask matched = *it;
    std::vector<loop::Expr> present(open_.size(), loop::Expr(false));
    loop::Expr condition(true);
    for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
      loop::Expr& p = present[static_cast<std::size_t>(c)];
      if (has(lattice_.following, c)) p = live(c) && loop::eq(at_head(c), v);
      if (has(matched, c)) {
        p = loop::Expr(true);
        condition = condition && matches(c, v);
      } else if (has(point, c) && !known_absent(lattice_, matched, c)) {
        p = matches(c, v);
      }
    }
    // The smallest head matches some cursor; where each alone makes a case, the last case needs no test.
    const bool certain = point == (point & -point) || (it == below.rbegin() && alone == point);
    const loop::Stmt inner = body(v, present, false);
    cases = certain ? inner : loop::if_then(condition, inner, cases);
  }
  inside.push_back(cases);
  advance(point, v, inside);
  out.push_back(loop::while_loop(all_live(point), loop::block(std::move(inside))));
}

/// One loop for a formula of many points: presence is a flag a cursor instead of a case a combination.
void LoopLowerer::emit_compact(Statements& out) {
  loop::Expr some_live(false);
  for (const Mask term : lattice_.formula.terms()) {
    loop::Expr all(true);
    for (int c = 0; c < static_cast<int>(open_.size()); ++c)
      if (has(term, c)) all = all && live(c);
    some_live = some_live || all;
  }
  Statements inside;
  declare_heads(lattice_.deciding, true, inside);
  const loop::Var v = context_.fresh_index(forall_.var.name());
  inside.push_back(loop::declare(v, smallest_head(lattice_.deciding)));
  find_run_ends(lattice_.deciding, v, inside);
  catch_up(lattice_.following, v, inside);
  std::vector<loop::Expr> present(open_.size(), loop::Expr(false));
  for (int c = 0; c < static_cast<int>(open_.size()); ++c)
    present[static_cast<std::size_t>(c)] =
        has(lattice_.deciding, c) ? matches(c, v) : live(c) && loop::eq(at_head(c), v);
  // The smallest head is some cursor's.
  some_is_there_ = true;
  inside.push_back(body(v, present, false));
  some_is_there_ = false;
  advance(lattice_.deciding, v, inside);
  out.push_back(loop::while_loop(some_live, loop::block(std::move(inside))));
}

/// Whether the body runs wherever any one of the deciding cursors is: then it need not ask which.
bool LoopLowerer::runs_wherever_one_is(const Scope& inside) const {
  for (int only = 0; only < static_cast<int>(open_.size()); ++only) {
    if (!has(lattice_.deciding, only)) continue;
    Scope scope = inside;
    for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
      const Open& o = open_[static_cast<std::size_t>(c)];
      PathState& state = scope.paths[static_cast<std::size_t>(o.cursor.path)];
      if (state.level != o.at.level + 1) return false;  // what is located under it may be absent
      state.at.present = loop::Expr(c == only);
    }
    if (!loop::is_true(may_run(context_, forall_.body, scope))) return false;
  }
  return true;
}

/// While every cursor of the point is live: compares the heads, computes at the smallest, and moves those that are
/// there.
void LoopLowerer::emit_compared(Mask point, Statements& out) {
  Statements inside;
  declare_heads(point, false, inside);
  const Mask first = point & -point;
  inside.push_back(compare_heads(point, first, point & ~first));
  out.push_back(loop::while_loop(all_live(point), loop::block(std::move(inside))));
}

/// `smallest`: the cursors whose heads are equal and smaller than all that were compared; `left`: those yet to compare.
loop::Stmt LoopLowerer::compare_heads(Mask point, Mask smallest, Mask left) {
  if (left == 0) return at_smallest(point, smallest);
  const Mask next = left & -left;
  const loop::Expr a(*open_[static_cast<std::size_t>(first_of(smallest))].head);
  const loop::Expr b(*open_[static_cast<std::size_t>(first_of(next))].head);
  const Mask rest = left & ~next;
  return loop::if_then(
      a < b, compare_heads(point, smallest, rest),
      loop::if_then(b < a, compare_heads(point, next, rest), compare_heads(point, smallest | next, rest)));
}

/// The case in which exactly these cursors have the smallest head.
loop::Stmt LoopLowerer::at_smallest(Mask point, Mask smallest) {
  Statements out;
  const loop::Expr coordinate(*open_[static_cast<std::size_t>(first_of(smallest))].head);
  find_run_ends(smallest, coordinate, out);
  const std::vector<Mask> below = points_below(lattice_, point);
  const bool computed = std::any_of(below.begin(), below.end(), [&](Mask b) { return (b & ~smallest) == 0; });
  if (computed) {
    std::vector<loop::Expr> present(open_.size(), loop::Expr(false));
    for (int c = 0; c < static_cast<int>(open_.size()); ++c)
      if (has(smallest, c)) present[static_cast<std::size_t>(c)] = loop::Expr(true);
    out.push_back(body(coordinate, present, false));
  }
  for (int c = 0; c < static_cast<int>(open_.size()); ++c)
    if (has(smallest, c)) advance(Mask{1} << c, coordinate, out);
  return loop::block(std::move(out));
}

/// Whether all cursors of an intersection can be searched.
bool LoopLowerer::is_galloped() const {
  if (forall_.how.merge != concrete::Merge::Gallop || lattice_.points.size() != 1 || lattice_.following != 0)
    return false;
  return open_.size() > 1 && std::all_of(open_.begin(), open_.end(), [](const Open& o) { return is_searched(o); });
}

void LoopLowerer::check_execution() const {
  const std::string& name = forall_.var.name();
  if (comes_to_nodes()) check_order_of_nodes();
  if (forall_.how.unit == concrete::Unit::CpuVector && !is_counted())
    refuse(forall_.how.race == concrete::Race::NoRaces ? "vectorize" : "parallelize",
           "the loop over {} moves on by what it finds in its operands, so its iterations cannot be counted; "
           "vectorize "
           "loops over coordinates, or over what one operand stores",
           name);
  if (forall_.how.unroll > 0 && !is_stepped())
    refuse("unroll",
           "the loop over {} moves on by what it finds in its operands, so that every step has to look whether "
           "there "
           "is another; unroll loops over coordinates, or over what one operand stores",
           name);
  if (forall_.how.prefetch > 0 && (open_.size() != 1 || !is_counted())) refuse_to_prefetch(forall_);
  if (forall_.how.merge != concrete::Merge::Gallop || is_galloped()) return;
  if (open_.size() < 2)
    refuse("mergeby", "the loop over {} merges nothing, so there is nothing to gallop to; leave this directive out",
           name);
  if (lattice_.points.size() != 1 || lattice_.following != 0)
    refuse("mergeby",
           "the loop over {} also computes where some of its operands store nothing, so it visits every entry; "
           "only loops in which every operand must store an entry can gallop",
           name);
  for (const Open& o : open_)
    if (!is_searched(o))
      refuse("mergeby",
             "{} stores {} in a level that cannot be searched; compressed levels that are ordered and unique "
             "can, "
             "and nodes in order",
             o.at.path.tensor.name(), name);
}

/// While every cursor is live: those behind the largest head leap to it; where all are there, computes and moves on.
void LoopLowerer::emit_galloping(Statements& out) {
  const Mask point = lattice_.points[0];
  Statements inside;
  declare_heads(point, false, inside);
  const loop::Var target = context_.fresh_index(forall_.var.name());
  loop::Expr largest;
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(point, c)) continue;
    const loop::Expr head(*open_[static_cast<std::size_t>(c)].head);
    largest = largest.defined() ? loop::max(largest, head) : head;
  }
  inside.push_back(loop::declare(target, largest));
  loop::Expr all_there(true);
  Statements leaps, move;
  std::vector<loop::Expr> present(open_.size(), loop::Expr(false));
  for (int c = 0; c < static_cast<int>(open_.size()); ++c) {
    if (!has(point, c)) continue;
    const Open& o = open_[static_cast<std::size_t>(c)];
    all_there = all_there && matches(c, target);
    present[static_cast<std::size_t>(c)] = loop::Expr(true);
    Statements there;
    leap(o, target, there);
    leaps.push_back(loop::if_then(loop::Expr(*o.head) < loop::Expr(target), loop::block(std::move(there))));
    move.push_back(step(o));
  }
  const loop::Stmt computed = body(target, present, false);
  inside.push_back(
      loop::if_then(all_there, loop::block({computed, loop::block(std::move(move))}), loop::block(std::move(leaps))));
  out.push_back(loop::while_loop(all_live(point), loop::block(std::move(inside))));
}

}  // namespace lacuna
