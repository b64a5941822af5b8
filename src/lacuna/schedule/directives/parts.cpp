#include "lacuna/schedule/directives/parts.h"

#include <functional>
#include <vector>

#include "lacuna/schedule/directives/product.h"

namespace lacuna::directives {

using concrete::Program;

namespace {

bool occurs(const Expr& e, const Expr& part) {
  if (equal(e, part)) return true;
  for (const Expr& x : children(e))
    if (occurs(x, part)) return true;
  return false;
}

/// An expression with the user's names for tensors that it reads copies of.
Expr as_written(const Scheduled& s, const Expr& e) {
  if (const auto* a = as<Access>(e)) {
    for (const OperandCopy& c : s.copies)
      if (c.name == a->tensor.name()) return make_expr(Access{TensorVar(c.source, a->tensor.order()), a->indices});
    return e;
  }
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands) x = as_written(s, x);
  return with_children(e, operands);
}

void collect_factors(const Expr& e, std::vector<Expr>& factors) {
  const auto* b = as<Binary>(e);
  if (b == nullptr || b->op != BinaryOp::Mul) return factors.push_back(e);
  collect_factors(b->left, factors);
  collect_factors(b->right, factors);
}

/// Where a product has these factors, each of its own taken once; nothing where it lacks one.
std::optional<product::Places> places_of(const Scheduled& s, const product::Product& all,
                                         const std::vector<Expr>& wanted) {
  product::Places places;
  for (const Expr& factor : wanted) {
    std::size_t k = 0;
    while (k < all.factors.size() && (all.factors[k].divides || product::contains(places, k) ||
                                      !equal(as_written(s, all.factors[k].expr), factor)))
      ++k;
    if (k == all.factors.size()) return std::nullopt;
    places.push_back(k);
  }
  return places;
}

std::optional<Regrouped> bring_together(const Scheduled& s, const Expr& e, const std::vector<Expr>& wanted) {
  const FactsByName facts = s.program.facts();
  const product::Product all = product::product_of(e, facts);
  if (const auto places = places_of(s, all, wanted)) {
    const Expr part = product::multiply(all, *places, facts);
    return Regrouped{product::replace(all, *places, part, facts), part};
  }
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands)
    if (auto found = bring_together(s, x, wanted)) {
      x = found->whole;
      return Regrouped{with_children(e, operands), found->part};
    }
  return std::nullopt;
}

}  // namespace

/// Quotients of integers are rounded one by one, and integers narrower than the type of the sum wrap one by one.
bool linear_in(const Expr& e, const Expr& part, const Program& p, Type sum) {
  if (equal(e, part)) return true;
  const Type type = type_of(e, p.facts());
  if (is_integer(type) && type != sum) return false;
  if (const auto* n = as<Negate>(e)) return linear_in(n->operand, part, p, sum);
  const auto* b = as<Binary>(e);
  if (b == nullptr || b->op == BinaryOp::Add || b->op == BinaryOp::Sub) return false;
  if (b->op == BinaryOp::Div && is_integer(type)) return false;
  if (occurs(b->left, part)) return !occurs(b->right, part) && linear_in(b->left, part, p, sum);
  return b->op == BinaryOp::Mul && linear_in(b->right, part, p, sum);
}

Expr replace(const Expr& e, const Expr& part, const Expr& by) {
  if (equal(e, part)) return by;
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands) x = replace(x, part, by);
  return with_children(e, operands);
}

std::optional<Expr> find_part(const Scheduled& s, const Expr& e, const Expr& wanted) {
  if (equal(as_written(s, e), wanted)) return e;
  for (const Expr& x : children(e))
    if (const auto found = find_part(s, x, wanted)) return found;
  return std::nullopt;
}

std::optional<Regrouped> bring_together(const Scheduled& s, const Expr& e, const Expr& wanted) {
  std::vector<Expr> factors;
  collect_factors(wanted, factors);
  return factors.size() < 2 ? std::nullopt : bring_together(s, e, factors);
}

}  // namespace lacuna::directives
