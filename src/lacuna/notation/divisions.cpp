#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lacuna/notation/check.h"
#include "lacuna/notation/operators.h"
#include "lacuna/notation/parse.h"

namespace lacuna {
namespace {

/// How often a variable occurs free.
int count_uses(const Expr& e, const IndexVar& var) {
  if (const auto* access = as<Access>(e))
    return static_cast<int>(std::count(access->indices.begin(), access->indices.end(), var));
  if (const auto* value = as<IndexValue>(e)) return value->var == var ? 1 : 0;
  if (const auto* sum = as<Sum>(e); sum != nullptr && sum->var == var) return 0;
  int uses = 0;
  for (const Expr& child : children(e)) uses += count_uses(child, var);
  return uses;
}

/// `e` with `part`, a node of its tree, replaced.
Expr replaced(const Expr& e, const ExprNode* part, const Expr& by) {
  if (e.get() == part) return by;
  std::vector<Expr> parts = children(e);
  for (Expr& each : parts) each = replaced(each, part, by);
  return parts.empty() ? e : with_children(e, parts);
}

Expr summed(const std::vector<IndexVar>& variables, Expr e) {
  for (auto var = variables.rbegin(); var != variables.rend(); ++var) e = sum(*var, e);
  return e;
}

/// Divisions of integers, under the sum that a term gets because the left side lacks some of its variables.
class DivisionChecker {
 public:
  DivisionChecker(const Statement& s, const Term& term, const FactsByName& facts)
      : statement_(s), term_(term), facts_(facts) {}

  void run() const { check(term_.expr, true); }

 private:
  /// `is_factor`: the term is a product or quotient that `e` is a factor or the numerator of.
  void check(const Expr& e, bool is_factor) const {
    if (const auto* binary = as<Binary>(e)) {
      const bool divides = binary->op == BinaryOp::Div;
      if (divides && is_integer(type_of(e, facts_))) check_division(e, *binary, is_factor);
      const bool multiplies = binary->op == BinaryOp::Mul;
      check(binary->left, is_factor && (divides || multiplies));
      return check(binary->right, is_factor && multiplies);
    }
    const bool is_negation = as<Negate>(e) != nullptr;
    for (const Expr& child : children(e)) check(child, is_factor && is_negation);
  }

  void check_division(const Expr& e, const Binary& division, bool is_factor) const {
    std::vector<IndexVar> inside;  // summed over, and only the numerator has them
    std::vector<IndexVar> around;  // summed over, and not in the denominator
    for (const IndexVar& var : term_.sums) {
      if (count_uses(division.right, var) > 0) continue;
      around.push_back(var);
      const int uses = count_uses(division.left, var);
      if (uses > 0 && (is_factor || uses == count_uses(term_.expr, var))) inside.push_back(var);
    }
    if (inside.empty()) return;
    const Expr of_sum = is_factor ? summed(around, replaced(term_.expr, e.get(), division.left)) / division.right
                                  : replaced(term_.expr, e.get(), summed(inside, division.left) / division.right);
    const Expr of_each = summed(is_factor ? around : inside, term_.expr);
    throw Error(fmt::format("{} divides integers, which drops the remainder, inside a sum over {}: write {} to divide "
                            "the sum, or {} to sum the quotients",
                            to_string(e), names_of(is_factor ? around : inside), to_string(of_sum), to_string(of_each)),
                e.where(), statement_.text);
  }

  static std::string names_of(const std::vector<IndexVar>& variables) {
    std::vector<std::string> names;
    for (const IndexVar& var : variables) names.push_back(var.name());
    return fmt::format("{}", fmt::join(names, ", "));
  }

  const Statement& statement_;
  const Term& term_;
  const FactsByName& facts_;
};

}  // namespace

void check_divisions(const Statement& s, const FactsByName& facts) {
  for (const Term& term : terms_of(s))
    if (!term.sums.empty()) DivisionChecker(s, term, facts).run();
}

}  // namespace lacuna
