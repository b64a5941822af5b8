#include "lacuna/lower/assemble/growth.h"

#include "lacuna/lower/context/arithmetic.h"

namespace lacuna {

namespace {
constexpr std::int64_t first_capacity = 64;
}

GrowingArrays::GrowingArrays(Context& context, const std::string& name, loop::Var count)
    : count_(std::move(count)), capacity_(context.fresh_index(name + "_capacity")) {}

void GrowingArrays::add(const loop::Var& array, loop::Expr per_entry, std::int64_t extra) {
  members_.push_back({array, std::move(per_entry), extra});
}

loop::Expr GrowingArrays::elements(const Member& m, const loop::Expr& entries) const {
  const loop::Expr n = times(entries, m.per_entry);
  return m.extra == 0 ? n : n + loop::Expr(m.extra);
}

loop::Stmt GrowingArrays::start(const loop::Expr& guess) const {
  const loop::Expr few(first_capacity);
  std::vector<loop::Stmt> out{loop::declare(capacity_, plus(guess, few))};
  for (const Member& m : members_) out.push_back(loop::allocate(m.array, elements(m, capacity_), false));
  return loop::block(std::move(out));
}

loop::Stmt GrowingArrays::reserve(const loop::Expr& more) const {
  const loop::Expr needed = loop::Expr(count_) + more;
  const loop::Expr doubled = loop::Expr(capacity_) * loop::Expr(2);
  const bool one = loop::is_constant(more, 1);
  std::vector<loop::Stmt> grow{loop::assign(capacity_, one ? doubled : loop::max(doubled, needed))};
  for (const Member& m : members_) grow.push_back(loop::resize(m.array, elements(m, capacity_)));
  const loop::Expr full = one ? loop::Expr(count_) >= loop::Expr(capacity_) : needed > loop::Expr(capacity_);
  return loop::if_then(full, loop::block(std::move(grow)));
}

}  // namespace lacuna
