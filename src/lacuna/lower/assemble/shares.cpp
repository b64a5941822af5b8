#include "lacuna/lower/assemble/shares.h"

#include "lacuna/lower/assemble/prefix_sums.h"
#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {

loop::Expr elements(const AppendedGroup::Member& m, const loop::Expr& entries) {
  if (m.positions_of >= 0) return entries + loop::Expr(1);
  return times(entries, m.per_entry);
}

SharedAppends::SharedAppends(Context& context, std::string name, std::vector<AppendedGroup> groups)
    : context_(context), name_(std::move(name)), groups_(std::move(groups)) {
  for (const AppendedGroup& g : groups_) {
    totals_.push_back(context_.fresh(g.count.name() + "s", loop::array_type(Type::Int64)));
    for (const AppendedGroup::Member& m : g.members)
      shelves_.emplace(m.array, context_.fresh(m.array.name() + "_of", loop::shelf_type(m.array.type())));
  }
}

void SharedAppends::before(const loop::Expr& iterations, const loop::Expr& entries, Statements& out) {
  iterations_ = iterations;
  entries_ = entries;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    out.push_back(loop::declare_array(totals_[g]));
    out.push_back(loop::allocate(totals_[g], iterations + loop::Expr(1), true));
    for (const AppendedGroup::Member& m : groups_[g].members) {
      const loop::Var& shelf = shelves_.at(m.array);
      out.push_back(loop::declare_array(shelf));
      out.push_back(loop::allocate(shelf, iterations, true));
    }
  }
}

void SharedAppends::enter(Statements& out) {
  own_.clear();
  growths_.clear();
  for (const AppendedGroup& g : groups_) {
    const loop::Var count = context_.fresh_index("own_" + g.count.name());
    own_.insert_or_assign(g.count, count);
    out.push_back(loop::declare(count, loop::Expr(0)));
    growths_.emplace_back(context_, "own_" + g.count.name(), count);
    for (const AppendedGroup::Member& m : g.members) {
      const loop::Var array = context_.fresh("own_" + m.array.name(), m.array.type());
      own_.insert_or_assign(m.array, array);
      out.push_back(loop::declare_array(array));
      growths_.back().add(array, m.per_entry, m.positions_of >= 0 ? 1 : 0);
    }
    out.push_back(growths_.back().start(entries_));
    for (const AppendedGroup::Member& m : g.members)
      if (m.positions_of >= 0)
        out.push_back(loop::store(own_.at(m.array), loop::Expr(0), loop::constant(m.array.type().scalar, 0)));
  }
}

void SharedAppends::leave(const loop::Expr& iteration, Statements& out) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    out.push_back(loop::store(totals_[g], iteration + loop::Expr(1), own_.at(groups_[g].count)));
    for (const AppendedGroup::Member& m : groups_[g].members)
      out.push_back(loop::keep(shelves_.at(m.array), iteration, own_.at(m.array)));
  }
}

loop::Expr SharedAppends::entries_before(int group, const loop::Expr& iteration) const {
  return loop::load(totals_[static_cast<std::size_t>(group)], iteration);
}

loop::Stmt SharedAppends::move_arrays(const AppendedGroup& group, int number, const loop::Expr& iteration) {
  Statements out;
  const loop::Var first = context_.fresh_index(group.count.name() + "_before");
  const loop::Var n = context_.fresh_index(group.count.name() + "_own");
  out.push_back(loop::declare(first, entries_before(number, iteration)));
  out.push_back(loop::declare(n, entries_before(number, iteration + loop::Expr(1)) - loop::Expr(first)));
  for (const AppendedGroup::Member& m : group.members) {
    const loop::Var from = context_.fresh("own_" + m.array.name(), m.array.type());
    const loop::Var p = context_.fresh_index("p");
    out.push_back(loop::declare_array(from));
    out.push_back(loop::take(from, shelves_.at(m.array), iteration));
    loop::Stmt move;
    if (m.positions_of >= 0) {
      // The 0 that positions begin with is where the iteration before ended.
      const loop::Expr shift = loop::convert(entries_before(m.positions_of, iteration), m.array.type().scalar);
      move = loop::for_loop(p, loop::Expr(1), loop::Expr(n) + loop::Expr(1),
                            loop::store(m.array, loop::Expr(first) + loop::Expr(p), loop::load(from, p) + shift));
    } else {
      const loop::Expr to = times(first, m.per_entry);
      move = loop::for_loop(p, loop::Expr(0), elements(m, n),
                            loop::store(m.array, to + loop::Expr(p), loop::load(from, p)));
    }
    out.push_back(move);
    out.push_back(loop::release(from));
  }
  return loop::block(std::move(out));
}

void SharedAppends::after(const std::function<loop::Stmt(const loop::Expr&, const loop::Expr&)>& shift,
                          Statements& out) {
  out.push_back(loop::comment("Every iteration's entries come after those of the iterations before it."));
  add_up_prefixes(context_, totals_, iterations_, out);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const AppendedGroup& group = groups_[g];
    out.push_back(loop::assign(group.count, loop::load(totals_[g], iterations_)));
    for (const AppendedGroup::Member& m : group.members) {
      out.push_back(loop::allocate(m.array, elements(m, group.count), false));
      if (m.positions_of >= 0)
        out.push_back(loop::store(m.array, loop::Expr(0), loop::constant(m.array.type().scalar, 0)));
    }
  }
  const loop::Var s = context_.fresh_index("share");
  Statements moves;
  for (std::size_t g = 0; g < groups_.size(); ++g) moves.push_back(move_arrays(groups_[g], static_cast<int>(g), s));
  if (const loop::Stmt more = shift(s, entries_before(0, s))) moves.push_back(more);
  loop::LoopOptions options;
  options.mode = loop::LoopMode::Parallel;
  options.grain = 1;
  out.push_back(loop::for_loop(s, loop::Expr(0), iterations_, loop::block(std::move(moves)), options));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    out.push_back(loop::release(totals_[g]));
    for (const AppendedGroup::Member& m : groups_[g].members) out.push_back(loop::release(shelves_.at(m.array)));
  }
}

}  // namespace lacuna
