#include "lacuna/reference/presence.h"

#include <algorithm>

namespace lacuna::reference {
namespace {

using Condition = std::vector<Conjunct>;

/// Products of sums of products grow without bound; past this many conjuncts one factor alone is used.
constexpr std::size_t max_conjuncts = 64;

const Condition& always() {
  static const Condition one_empty_conjunct{{}};
  return one_empty_conjunct;
}

/// Adds a conjunct unless a weaker one is there, and drops those that it makes superfluous.
void add(Condition& condition, const Conjunct& conjunct) {
  const auto contains = [](const Conjunct& a, const Conjunct& b) {
    return std::includes(a.begin(), a.end(), b.begin(), b.end());
  };
  if (std::any_of(condition.begin(), condition.end(), [&](const auto& c) { return contains(conjunct, c); })) return;
  condition.erase(
      std::remove_if(condition.begin(), condition.end(), [&](const auto& c) { return contains(c, conjunct); }),
      condition.end());
  condition.push_back(conjunct);
}

Condition either(Condition a, const Condition& b) {
  for (const Conjunct& conjunct : b) add(a, conjunct);
  return a;
}

Condition both(const Condition& a, const Condition& b) {
  if (a.size() * b.size() > max_conjuncts) return a.size() <= b.size() ? a : b;
  Condition result;
  for (const Conjunct& x : a) {
    for (const Conjunct& y : b) {
      Conjunct joined = x;
      joined.insert(y.begin(), y.end());
      add(result, joined);
    }
  }
  return result;
}

template <typename Combine>
Condition combine_children(const Program& program, Combine combine) {
  Condition result = presence(program.children[0]);
  for (std::size_t k = 1; k < program.children.size(); ++k) result = combine(result, presence(program.children[k]));
  return result;
}

Condition presence_of_binary(const Program& program, BinaryOp op) {
  if (op == BinaryOp::Mul) return combine_children(program, both);
  if (op == BinaryOp::Div) return presence(program.children[0]);
  return combine_children(program, either);
}

Condition presence_of_call(const Program& program, FunctionId function) {
  switch (info(function).absence) {
    case AbsenceRule::ZeroWhenAllAbsent: return combine_children(program, either);
    case AbsenceRule::FirstAnnihilates: return presence(program.children[0]);
    case AbsenceRule::AnyAnnihilates: return combine_children(program, both);
    case AbsenceRule::NeverAbsent: return always();
  }
  throw InternalError("internal error: an AbsenceRule outside its enumeration");
}

}  // namespace

std::vector<Conjunct> presence(const Program& program) {
  return match(
      program.expr,
      [&](const Access&) {
        return program.entries->full() ? always() : Condition{{Stored{program.entries, program.slots}}};
      },
      [](const Literal&) { return always(); }, [](const IndexValue&) { return always(); },
      [&](const Negate&) { return presence(program.children[0]); },
      [&](const Binary& n) { return presence_of_binary(program, n.op); },
      [&](const Call& n) { return presence_of_call(program, n.function); },
      [&](const Cast&) { return presence(program.children[0]); },
      [&](const Sum&) { return presence(program.children[0]); });
}

}  // namespace lacuna::reference
