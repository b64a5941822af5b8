#include "lacuna/lower/nest/balance.h"

#include <algorithm>

#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {
namespace {

/// Threads are disturbed: those that are done early take a further share. A share costs a few searches, and some
/// allocations where results are appended.
constexpr std::int64_t shares_a_thread = 16;
/// The same where shares are of equal work only as far as positions tell: rows of a product may be anything.
constexpr std::int64_t unequal_shares_a_thread = 32;

/// What a coordinate costs beside the entries under it, in entries: loops over few of them end where nobody expects it.
constexpr std::int64_t entries_a_coordinate = 4;

/// What a search in another operand costs, in entries of a loop that goes through them.
constexpr std::int64_t steps_a_leap = 16;

/// The same where loops inside go through entries that nothing counts.
constexpr std::int64_t steps_of_uneven_work = 16;

/// Turns of a loop over a whole extent, which mostly takes several at once, in the time of an entry.
constexpr std::int64_t turns_of_lanes = 4;

using Operand = Workload::Operand;

bool is_dense(const Operand& o) { return o.at.format.full(); }

/// The positions of a walked operand inside the loop, and the variables of a search among them.
struct Walk {
  const Operand* operand;
  loop::Expr begin, end;
  loop::Var at, low, high;
};

class Cutter {
 public:
  Cutter(Context& context, const IndexVar& var, const Window& run, bool whole, const Workload& work, Statements& out)
      : context_(context),
        name_(var.name()),
        run_(run),
        whole_(whole),
        work_(work),
        out_(out),
        shares_{context.fresh_index(name_ + "_shares"), context.fresh(name_ + "_cuts", loop::array_type(Type::Int64))} {
  }

  Shares run() {
    for (const Operand& o : work_.operands)
      if (!is_dense(o)) walk(o);
    if (work_.leaps) at_positions_of_shortest();
    else if (work_.every_coordinate && work_.operands.empty()) at_equal_distances();
    else if (!work_.every_coordinate && walks_.size() == 1) at_positions_of(walks_.front());
    else at_coordinates();
    return shares_;
  }

 private:
  void walk(const Operand& o) {
    auto [begin, end] = level_code(o.at.format.kind).range(context_, o.at, o.parent);
    const std::string name = o.at.position_name().substr(1);
    if (!whole_) {
      begin = context_.named(name + "_first", lower_bound(o, begin, end, run_.low), out_);
      end = context_.named(name + "_past", lower_bound(o, begin, end, run_.high), out_);
    }
    walks_.push_back({&o, begin, end, context_.fresh_index(name + "_at"), context_.fresh_index(name + "_low"),
                      context_.fresh_index(name + "_high")});
  }

  loop::Expr lower_bound(const Operand& o, const loop::Expr& low, const loop::Expr& high, const loop::Expr& key) {
    return context_.lower_bound(o.at.path.tensor, o.at.level, DescriptorField::Crd, low, high, key);
  }

  static loop::Expr work_of(const loop::Expr& coordinates) {
    return loop::is_constant(coordinates, 0) ? coordinates : coordinates * loop::Expr(entries_a_coordinate);
  }

  /// What the coordinates before a position take, and the entries stored under them.
  loop::Expr work_before(const Operand& o, const loop::Expr& position) {
    loop::Expr entries = position;
    const Format& format = context_.program().at(o.at.path.tensor).format;
    for (int k = o.at.level + 1; k <= o.counted; ++k) {
      if (format.level(k).full()) entries = entries * context_.extent(o.at.path.tensor, k);
      if (format.level(k).packed()) entries = context_.element(o.at.path.tensor, k, DescriptorField::Pos, entries);
    }
    return is_dense(o) || o.counted == o.at.level ? entries : entries + work_of(position);
  }

  /// The same, where the operand is dense in the loop's variable.
  loop::Expr work_before_coordinate(const Operand& o, const loop::Expr& coordinate) {
    return work_before(o, dense_position(context_, o.at.path.tensor, o.at.level, o.parent.pos, coordinate));
  }

  /// Whole tensors begin at position 0, and so do their rows.
  bool begins_at_zero(const Operand& o) const {
    return whole_ && o.at.level == 0 && !context_.program().at(o.at.path.tensor).piece;
  }

  loop::Expr per_share(const loop::Expr& work, const loop::Var& share) const {
    return work * loop::Expr(share) / loop::Expr(shares_.count);
  }

  /// The cuts, of which `cut` stores the one where share k begins; the first and the last are known.
  void store_cuts(const loop::Expr& work, const std::function<loop::Stmt(const loop::Var& k)>& cut,
                  Statements before = {}) {
    out_.push_back(loop::declare(shares_.count, number_of_shares(context_, work, work_)));
    out_.push_back(loop::declare_array(shares_.cuts));
    out_.push_back(loop::allocate(shares_.cuts, loop::Expr(shares_.count) + loop::Expr(1), false));
    out_.push_back(loop::store(shares_.cuts, loop::Expr(0), run_.low));
    out_.insert(out_.end(), before.begin(), before.end());
    const loop::Var k = context_.fresh_index("k");
    out_.push_back(loop::for_loop(k, loop::Expr(1), shares_.count, cut(k)));
    out_.push_back(loop::store(shares_.cuts, shares_.count, run_.high));
  }

  void at_equal_distances() {
    const loop::Expr length = minus(run_.high, run_.low);
    store_cuts(length,
               [&](const loop::Var& k) { return loop::store(shares_.cuts, k, plus(run_.low, per_share(length, k))); });
  }

  /// Each share has as many of the operand's positions, or as many of the entries below them.
  void at_positions_of(const Walk& w) {
    const Operand& o = *w.operand;
    const loop::Expr zero(0), first = begins_at_zero(o) ? zero : w.begin;
    if (o.counted == o.at.level)
      return store_cuts(minus(w.end, first), [&](const loop::Var& k) {
        return loop::store(shares_.cuts, k,
                           stored_coordinate(context_, o.at, plus(first, per_share(minus(w.end, first), k))));
      });
    const loop::Expr before = begins_at_zero(o) ? zero : work_before(o, w.begin);
    const loop::Var total = context_.named(name_ + "_work", minus(work_before(o, w.end), before), out_);
    store_cuts(
        total,
        [&](const loop::Var& k) {
          const loop::Var target = context_.fresh_index("target"), middle = context_.fresh_index("middle");
          const auto halve = loop::if_then(work_before(o, middle) < loop::Expr(target),
                                           loop::assign(w.low, loop::Expr(middle) + loop::Expr(1)),
                                           loop::assign(w.high, loop::Expr(middle)));
          const loop::Expr found =
              loop::select(loop::Expr(w.low) < w.end, stored_coordinate(context_, o.at, w.low), run_.high);
          return loop::block({loop::declare(target, plus(before, per_share(total, k))), loop::declare(w.high, w.end),
                              loop::while_loop(loop::Expr(w.low) < loop::Expr(w.high),
                                               loop::block({loop::declare(middle, middle_of(w.low, w.high)), halve})),
                              loop::store(shares_.cuts, k, found)});
        },
        {loop::declare(w.low, w.begin)});
  }

  /// The operand that stores least says where the others are leapt to.
  void at_positions_of_shortest() {
    std::vector<loop::Var> lengths;
    for (const Walk& w : walks_) {
      const std::string name = w.operand->at.position_name().substr(1);
      lengths.push_back(context_.named(name + "_length", minus(w.end, w.begin), out_));
    }
    const auto shortest = [&](std::size_t from) {
      loop::Expr least(lengths[from]);
      for (std::size_t w = from + 1; w < lengths.size(); ++w) least = loop::min(least, lengths[w]);
      return least;
    };
    store_cuts(shortest(0), [&](const loop::Var& k) {
      loop::Expr cut;
      for (std::size_t w = walks_.size(); w-- > 0;) {
        const loop::Expr coordinate =
            stored_coordinate(context_, walks_[w].operand->at, walks_[w].begin + per_share(lengths[w], k));
        cut = cut.defined() ? loop::select(loop::Expr(lengths[w]) <= shortest(w + 1), coordinate, cut) : coordinate;
      }
      return loop::store(shares_.cuts, k, cut);
    });
  }

  /// Searches for the coordinate before which enough is stored in all operands together. What is left of each operand
  /// shrinks with the coordinates that are left.
  void at_coordinates() {
    loop::Expr total(0), before(0);
    const auto add = [&](const Operand& o, const auto& work_at, const loop::Expr& low, const loop::Expr& high) {
      const loop::Expr first = begins_at_zero(o) ? loop::Expr(0) : work_at(low);
      before = plus(before, first);
      total = plus(total, minus(work_at(high), first));
    };
    for (const Operand& o : work_.operands)
      if (is_dense(o))
        add(
            o, [&](const loop::Expr& c) { return work_before_coordinate(o, c); }, run_.low, run_.high);
    Statements lows;
    for (const Walk& w : walks_) {
      add(
          *w.operand, [&](const loop::Expr& p) { return work_before(*w.operand, p); }, w.begin, w.end);
      lows.push_back(loop::declare(w.low, w.begin));
    }
    if (work_.every_coordinate) {
      before = plus(before, work_of(run_.low));
      total = plus(total, work_of(minus(run_.high, run_.low)));
    }
    const loop::Var work = context_.named(name_ + "_work", total, out_);
    store_cuts(
        work, [&](const loop::Var& k) { return find_coordinate(k, plus(before, per_share(work, k))); }, lows);
  }

  loop::Stmt find_coordinate(const loop::Var& k, const loop::Expr& wanted) {
    const loop::Var target = context_.fresh_index("target"), middle = context_.fresh_index("middle");
    const loop::Var low = context_.fresh_index(name_ + "_low"), high = context_.fresh_index(name_ + "_high");
    Statements out{loop::declare(target, wanted),
                   loop::declare(low, loop::load(shares_.cuts, loop::Expr(k) - loop::Expr(1))),
                   loop::declare(high, run_.high)};
    Statements inside{loop::declare(middle, middle_of(low, high))};
    Statements after{loop::assign(low, loop::Expr(middle) + loop::Expr(1))};
    Statements until{loop::assign(high, middle)};
    loop::Expr reached(0);
    for (const Operand& o : work_.operands)
      if (is_dense(o)) reached = plus(reached, work_before_coordinate(o, middle));
    for (const Walk& w : walks_) {
      out.push_back(loop::declare(w.high, w.end));
      inside.push_back(loop::declare(w.at, lower_bound(*w.operand, w.low, w.high, middle)));
      reached = plus(reached, work_before(*w.operand, w.at));
      after.push_back(loop::assign(w.low, w.at));
      until.push_back(loop::assign(w.high, w.at));
    }
    if (work_.every_coordinate) reached = plus(reached, work_of(middle));
    inside.push_back(loop::if_then(reached < loop::Expr(target), loop::block(after), loop::block(until)));
    out.push_back(loop::while_loop(loop::Expr(low) < loop::Expr(high), loop::block(inside)));
    out.push_back(loop::store(shares_.cuts, k, low));
    return loop::block(out);
  }

  static loop::Expr middle_of(const loop::Var& low, const loop::Var& high) {
    return loop::Expr(low) + (loop::Expr(high) - loop::Expr(low)) / loop::Expr(2);
  }

  Context& context_;
  std::string name_;
  const Window& run_;
  bool whole_;
  const Workload& work_;
  Statements& out_;
  Shares shares_;
  std::vector<Walk> walks_;
};

}  // namespace

bool Workload::is_uneven() const {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& o) { return o.counted > o.at.level; });
}

int counted_level(const Context& context, const Scope& scope, const LevelAt& at) {
  const Format& format = context.program().at(at.path.tensor).format;
  const std::vector<IndexVar>& variables = at.path.variables;
  int last = at.level;
  for (int k = at.level + 1; k < format.order(); ++k) {
    const IndexVar& v = variables[static_cast<std::size_t>(k)];
    const bool repeated = std::find(variables.begin(), variables.begin() + k, v) != variables.begin() + k;
    const LevelFormat& form = format.level(k);
    if (repeated || scope.coordinate.count(v) > 0 || form.has_gaps() || form.is_dynamic()) break;
    if (form.packed()) last = k;
  }
  return last;
}

Window coordinates_of(const Shares& shares, const loop::Expr& share) {
  return {loop::load(shares.cuts, share), loop::load(shares.cuts, share + loop::Expr(1))};
}

namespace {

/// The turns of the loop and those inside it that take as long as it takes to go through so many entries.
std::int64_t turns_as_long_as(std::int64_t entries, const Workload& work) {
  if (work.leaps) return entries / steps_a_leap;
  if (!work.even) return entries / steps_of_uneven_work;
  return loop::is_constant(work.turns_an_entry, 1) ? entries : entries * turns_of_lanes;
}

}  // namespace

loop::Expr number_of_shares(Context& context, const loop::Expr& entries, const Workload& work) {
  const loop::Expr threads(context.threads()), most(work.even ? shares_a_thread : unequal_shares_a_thread);
  const std::int64_t worth_threads = context.options().entries_worth_threads;
  if (worth_threads == 0) return loop::min(work.from_head ? threads : threads * most, entries);
  const std::int64_t worth_it = turns_as_long_as(worth_threads, work);
  const loop::Expr turns = times(entries, work.turns_an_entry);
  if (work.from_head) return loop::select(turns < loop::Expr(worth_it), loop::Expr(1), threads);
  const loop::Expr large_enough = turns / (threads * loop::Expr(worth_it / 2));
  return loop::select(turns < loop::Expr(worth_it), loop::Expr(1),
                      threads * loop::max(loop::Expr(1), loop::min(most, large_enough)));
}

Shares cut_by_work(Context& context, const IndexVar& var, const Window& run, bool whole, const Workload& work,
                   Statements& out) {
  return Cutter(context, var, run, whole, work, out).run();
}

}  // namespace lacuna
