#include "lacuna/schedule/directives/product.h"

#include <algorithm>

#include "lacuna/notation/numbers.h"
#include "lacuna/notation/operators.h"
#include "lacuna/support/check.h"

namespace lacuna::product {
namespace {

void collect(const Expr& e, bool negative, const FactsByName& facts, Type sum, std::vector<Addend>& out) {
  const Type type = type_of(e, facts);
  const bool apart = !is_integer(type) || type == sum;
  if (const auto* n = as<Negate>(e); n != nullptr && apart) return collect(n->operand, !negative, facts, sum, out);
  const auto* b = as<Binary>(e);
  if (b != nullptr && apart && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub)) {
    collect(b->left, negative, facts, sum, out);
    return collect(b->right, negative != (b->op == BinaryOp::Sub), facts, sum, out);
  }
  out.push_back({e, negative});
}

void collect(const Expr& e, const FactsByName& facts, Product& out) {
  if (type_of(e, facts) == out.type) {
    if (const auto* n = as<Negate>(e)) {
      out.negative = !out.negative;
      return collect(n->operand, facts, out);
    }
    const auto* b = as<Binary>(e);
    if (b != nullptr && b->op == BinaryOp::Mul) {
      collect(b->left, facts, out);
      return collect(b->right, facts, out);
    }
    if (b != nullptr && b->op == BinaryOp::Div && !is_integer(out.type)) {
      collect(b->left, facts, out);
      out.factors.push_back({b->right, true});
      return;
    }
  }
  out.factors.push_back({e, false});
}

/// The first factor that does not divide.
template <typename Factors>
auto first_of(Factors& factors) {
  return std::find_if(factors.begin(), factors.end(), [](const Factor& f) { return !f.divides; });
}

/// From the left, what divides after the first that does not.
Expr multiply(const std::vector<Factor>& factors) {
  const auto first = first_of(factors);
  internal_check(first != factors.end(), "a product of divisors only");
  Expr value = first->expr;
  for (auto f = factors.begin(); f != factors.end(); ++f)
    if (f != first) value = f->divides ? value / f->expr : value * f->expr;
  return value;
}

/// The first factor that does not divide in the type of the whole, so that no two integers are multiplied as such in a
/// product that is none of integers.
void multiply_in(Type type, std::vector<Factor>& factors, const FactsByName& facts) {
  const auto first = first_of(factors);
  if (first != factors.end() && type_of(first->expr, facts) != type) first->expr = cast(type, first->expr);
}

}  // namespace

std::vector<Addend> addends_of(const Expr& e, const FactsByName& facts, Type sum) {
  std::vector<Addend> all;
  collect(e, false, facts, sum, all);
  return all;
}

Expr add_up(const std::vector<Addend>& addends) {
  internal_check(!addends.empty(), "a sum of nothing");
  Expr value = addends[0].negative ? -addends[0].expr : addends[0].expr;
  for (std::size_t k = 1; k < addends.size(); ++k)
    value = addends[k].negative ? value - addends[k].expr : value + addends[k].expr;
  return value;
}

Product product_of(const Expr& e, const FactsByName& facts) {
  Product p;
  p.type = type_of(e, facts);
  collect(e, facts, p);
  return p;
}

bool contains(const Places& places, std::size_t k) {
  return std::find(places.begin(), places.end(), k) != places.end();
}

Places operands_of(const Product& p) {
  Places places;
  for (std::size_t k = 0; k < p.factors.size(); ++k)
    if (!is_number(p.factors[k].expr)) places.push_back(k);
  return places;
}

std::vector<IndexVar> variables_of(const Product& p, const Places& places) {
  std::vector<IndexVar> all;
  for (const std::size_t k : places)
    for (const IndexVar& v : free_variables(p.factors[k].expr)) all.push_back(v);
  return all;
}

Expr multiply(const Product& p, const Places& places, const FactsByName& facts) {
  std::vector<Factor> some;
  for (std::size_t k = 0; k < p.factors.size(); ++k)
    if (contains(places, k)) some.push_back(p.factors[k]);
  multiply_in(p.type, some, facts);
  return multiply(some);
}

Expr replace(const Product& p, const Places& places, const Expr& by, const FactsByName& facts) {
  std::vector<Factor> factors;
  bool replaced = false;
  for (std::size_t k = 0; k < p.factors.size(); ++k) {
    const Factor& f = p.factors[k];
    if (!contains(places, k)) factors.push_back(f);
    else if (!f.divides && !replaced) factors.push_back({by, false});
    replaced = replaced || (contains(places, k) && !f.divides);
  }
  const auto first = first_of(factors);
  if (first != factors.end() && !equal(first->expr, by)) multiply_in(p.type, factors, facts);
  const Expr value = multiply(factors);
  return p.negative ? -value : value;
}

}  // namespace lacuna::product
