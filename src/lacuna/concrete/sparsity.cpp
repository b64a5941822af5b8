#include "lacuna/concrete/sparsity.h"

#include <algorithm>

#include "lacuna/concrete/presence.h"

namespace lacuna::concrete {
namespace {

constexpr std::size_t max_terms = 256;

bool inside(std::uint64_t a, std::uint64_t b) { return (a & b) == a; }

std::vector<std::uint64_t> minimal(std::vector<std::uint64_t> terms) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  std::vector<std::uint64_t> kept;
  for (std::uint64_t t : terms) {
    const bool absorbed =
        std::any_of(terms.begin(), terms.end(), [&](std::uint64_t o) { return o != t && inside(o, t); });
    if (!absorbed) kept.push_back(t);
  }
  return kept;
}

}  // namespace

Formula::Formula(std::vector<std::uint64_t> terms) : terms_(minimal(std::move(terms))) {
  if (terms_.size() > max_terms) terms_ = {0};
}

std::uint64_t Formula::support() const {
  std::uint64_t all = 0;
  for (std::uint64_t t : terms_) all |= t;
  return all;
}

Formula Formula::assume(std::uint64_t mask) const {
  std::vector<std::uint64_t> terms = terms_;
  for (std::uint64_t& t : terms) t &= ~mask;
  return Formula(std::move(terms));
}

Formula operator&(const Formula& a, const Formula& b) {
  if (a.is_always()) return b;
  if (b.is_always()) return a;
  if (a.terms_.size() * b.terms_.size() > max_terms * max_terms) return Formula::always();
  std::vector<std::uint64_t> terms;
  for (std::uint64_t s : a.terms_)
    for (std::uint64_t t : b.terms_) terms.push_back(s | t);
  return Formula(std::move(terms));
}

Formula operator|(const Formula& a, const Formula& b) {
  std::vector<std::uint64_t> terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  return Formula(std::move(terms));
}

AbsenceRule absence_rule(const Call& call) { return info(call.function).absence; }

Formula presence(const Expr& e, const std::function<Formula(const Access&)>& of_access) {
  return presence_of<Formula>(e, of_access);
}

bool never_structural(const Expr& e, const std::function<bool(const Access&)>& structural) {
  if (const auto* a = as<Access>(e)) return !structural(*a);
  const auto operands = children(e);
  return std::all_of(operands.begin(), operands.end(), [&](const Expr& x) { return never_structural(x, structural); });
}

bool always_structural(const Expr& e, const std::function<bool(const Access&)>& structural) {
  const auto go = [&](const Expr& x) { return always_structural(x, structural); };
  const auto all = [&](const std::vector<Expr>& xs) { return std::all_of(xs.begin(), xs.end(), go); };
  const auto any = [&](const std::vector<Expr>& xs) { return std::any_of(xs.begin(), xs.end(), go); };
  return match(
      e, [&](const Access& a) { return structural(a); }, [](const Literal&) { return false; },
      [](const IndexValue&) { return false; }, [&](const Negate& n) { return go(n.operand); },
      [&](const Cast& c) { return go(c.operand); }, [&](const Sum& s) { return go(s.body); },
      [&](const Binary& b) {
        if (b.op == BinaryOp::Mul) return go(b.left) || go(b.right);
        if (b.op == BinaryOp::Div) return go(b.left);
        return go(b.left) && go(b.right);
      },
      [&](const Call& c) {
        switch (absence_rule(c)) {
          case AbsenceRule::AnyAnnihilates: return any(c.arguments);
          case AbsenceRule::FirstAnnihilates: return go(c.arguments[0]);
          case AbsenceRule::ZeroWhenAllAbsent: return all(c.arguments);
          case AbsenceRule::NeverAbsent: break;
        }
        return false;
      });
}

}  // namespace lacuna::concrete
