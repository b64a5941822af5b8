#include <algorithm>
#include <optional>
#include <vector>

#include "lacuna/notation/check.h"

namespace lacuna {
namespace {

bool adds(const Expr& e) {
  if (const auto* negate = as<Negate>(e)) return adds(negate->operand);
  const auto* binary = as<Binary>(e);
  return binary != nullptr && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub);
}

bool mentions(const Expr& e, const IndexVar& var) { return contains(all_variables(e), var); }

/// A number, or a tensor without indices.
bool is_number(const Expr& e) {
  const auto* access = as<Access>(e);
  return as<Literal>(e) != nullptr || (access != nullptr && access->indices.empty());
}

/// Whether a quotient is in it, which may be infinite where all operands are finite: zeros times that are not zero.
bool divides(const Expr& e) {
  const auto* binary = as<Binary>(e);
  const std::vector<Expr> parts = children(e);
  return (binary != nullptr && binary->op == BinaryOp::Div) || as<Call>(e) != nullptr ||
         std::any_of(parts.begin(), parts.end(), divides);
}

/// sum(variables, product): what a factor of a term is when its sums are drawn out of it.
struct DrawnOut {
  std::vector<IndexVar> variables;
  Expr product;
};

class Drawing {
 public:
  Drawing(const FactsByName& facts, Type compute, const std::vector<IndexVar>& left)
      : facts_(facts), compute_(compute), left_(left) {}

  /// The terms of an expression, through signs and additions.
  Expr terms(const Expr& e) const {
    if (adds(e) || as<Negate>(e) != nullptr) {
      std::vector<Expr> parts = children(e);
      for (Expr& part : parts) part = terms(part);
      return with_children(e, parts);
    }
    // Implied sums, and signs of terms, are of that type.
    if (type_of(e, facts_) != compute_) return e;
    const std::vector<IndexVar> free = free_variables(e);
    const bool summed = std::any_of(free.begin(), free.end(), [&](const IndexVar& v) { return !contains(left_, v); });
    return drawn(e, summed).product;
  }

 private:
  /// `summed`: inside a sum.
  DrawnOut drawn(const Expr& e, bool summed) const {
    std::optional<DrawnOut> out;
    if (const auto* sum = as<Sum>(e)) out = from_sum(*sum);
    if (const auto* negate = as<Negate>(e)) out = from_negative(e, *negate, summed);
    if (const auto* binary = as<Binary>(e)) out = from_product(e, *binary, summed);
    return out && (out->variables.empty() || type_of(out->product, facts_) == type_of(e, facts_)) ? *out
                                                                                                  : DrawnOut{{}, e};
  }

  /// What does not use the variable is summed as often as it has values, which an implied sum cannot say; and of a
  /// sum's addends each is a term by itself.
  std::optional<DrawnOut> from_sum(const Sum& sum) const {
    DrawnOut inner = drawn(sum.body, true);
    if (adds(inner.product) || !contains(free_variables(inner.product), sum.var)) return std::nullopt;
    inner.variables.push_back(sum.var);
    return inner;
  }

  std::optional<DrawnOut> from_negative(const Expr& e, const Negate& negate, bool summed) const {
    DrawnOut inner = drawn(negate.operand, summed);
    return DrawnOut{std::move(inner.variables), with_children(e, {inner.product})};
  }

  std::optional<DrawnOut> from_product(const Expr& e, const Binary& binary, bool summed) const {
    if (binary.op != BinaryOp::Mul) return std::nullopt;
    const Type type = type_of(e, facts_);
    DrawnOut left = drawn(binary.left, summed);
    const DrawnOut right = drawn(binary.right, summed);
    if (!may_be_summed(binary.right, binary.left, left.variables, type, summed) ||
        !may_be_summed(binary.left, binary.right, right.variables, type, summed))
      return std::nullopt;
    left.product = with_children(e, {left.product, right.product});
    left.variables.insert(left.variables.end(), right.variables.begin(), right.variables.end());
    return left;
  }

  /// Whether a factor may be multiplied by each term of the sums of another one, which are of the product's type then.
  /// Outside of all sums, one with indices is better multiplied once for each sum, as in a product of matrices at the
  /// entries of a third one.
  bool may_be_summed(const Expr& factor, const Expr& other, const std::vector<IndexVar>& sums, Type type,
                     bool summed) const {
    if (sums.empty()) return true;
    return type_of(other, facts_) == type && (summed || is_number(factor)) && !divides(factor) &&
           std::none_of(sums.begin(), sums.end(), [&](const IndexVar& var) { return mentions(factor, var); });
  }

  const FactsByName& facts_;
  Type compute_;
  const std::vector<IndexVar>& left_;  // of the assignment
};

}  // namespace

Statement with_implied_sums(const Statement& s, const FactsByName& facts, Type compute) {
  Statement implied = s;
  implied.rhs = Drawing(facts, compute, s.lhs.indices).terms(s.rhs);
  return implied;
}

}  // namespace lacuna
