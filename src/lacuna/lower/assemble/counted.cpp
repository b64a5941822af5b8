#include "lacuna/lower/assemble/counted.h"

#include "lacuna/lower/assemble/prefix_sums.h"

namespace lacuna {

void CountedAppends::allocate(Statements& out) {
  out.push_back(loop::comment("Counts say how much there is to store."));
  for (const AppendedGroup& group : groups_) {
    for (const AppendedGroup::Member& m : group.members) {
      out.push_back(loop::allocate(m.array, elements(m, group.count), false));
      if (m.positions_of >= 0)
        out.push_back(loop::store(m.array, loop::Expr(0), loop::constant(m.array.type().scalar, 0)));
    }
  }
  for (const AppendedGroup& group : groups_) {
    all_.emplace(group.count, context_.named(group.count.name() + "_all", group.count, out));
    out.push_back(loop::assign(group.count, loop::Expr(0)));
  }
  most_ = all_;
}

void CountedAppends::before(const Assembler::Sharing& sharing, bool counting, Statements& out) {
  if (!counting) {
    totals_ = totals_of_.at(sharing.loop);
    return;
  }
  totals_.clear();
  for (const AppendedGroup& group : groups_) {
    totals_.push_back(context_.fresh(group.count.name() + "s", loop::array_type(Type::Int64)));
    out.push_back(loop::declare_array(totals_.back()));
    out.push_back(loop::allocate(totals_.back(), sharing.iterations + loop::Expr(1), true));
  }
  totals_of_.insert_or_assign(sharing.loop, totals_);
}

void CountedAppends::enter(const loop::Expr& iteration, bool counting, Statements& out) {
  own_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const loop::Var& count = groups_[g].count;
    const loop::Var own = context_.fresh_index("own_" + count.name());
    own_.emplace(count, own);
    const auto before = [&](const loop::Expr& i) { return loop::Expr(count) + loop::load(totals_[g], i); };
    out.push_back(loop::declare(own, counting ? loop::Expr(0) : before(iteration)));
    if (!counting) most_.insert_or_assign(count, before(iteration + loop::Expr(1)));
  }
}

void CountedAppends::leave(const loop::Expr& iteration, bool counting, Statements& out) const {
  if (!counting) return;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    out.push_back(loop::store(totals_[g], iteration + loop::Expr(1), own(groups_[g].count)));
}

void CountedAppends::after(const Assembler::Sharing& sharing, bool counting, Statements& out) {
  if (counting) {
    out.push_back(loop::comment("Every iteration's entries come after those of the iterations before it."));
    add_up_prefixes(context_, totals_, sharing.iterations, out);
  }
  most_ = all_;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const loop::Var& count = groups_[g].count;
    out.push_back(loop::assign(count, loop::Expr(count) + loop::load(totals_[g], sharing.iterations)));
    if (!counting) out.push_back(loop::release(totals_[g]));
  }
}

}  // namespace lacuna
