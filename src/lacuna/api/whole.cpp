#include "lacuna/api/whole.h"

#include <map>
#include <utility>

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

const char* modes_text(int order) { return order == 1 ? "mode" : "modes"; }

std::vector<IndexVar> fresh(int order) { return std::vector<IndexVar>(static_cast<std::size_t>(order)); }

}  // namespace

WholeExpression::WholeExpression(std::vector<IndexVar> modes, Expression entry)
    : modes_(std::move(modes)), entry_(std::move(entry)) {}

WholeExpression WholeExpression::over(int order) const {
  return modes_.empty() ? WholeExpression(fresh(order), entry_) : *this;
}

Expression WholeExpression::entry_at(const std::vector<IndexVar>& modes) const {
  internal_check(modes.size() == modes_.size(), "an expression of order {} at {} variables", order(), modes.size());
  std::map<IndexVar, IndexVar> to;
  for (std::size_t m = 0; m < modes.size(); ++m) to.emplace(modes_[m], modes[m]);
  Renaming renaming;
  // Those of sums, too: what is used twice, as in matmul(P, P) of a product P, has a sum of its own each time.
  renaming.variable = [&to](const IndexVar& var) { return to.try_emplace(var).first->second; };
  return {renamed(entry_.expr(), renaming), entry_.captures()};
}

WholeExpression entrywise(const std::string& what, const WholeExpression& a, const WholeExpression& b,
                          Expression (*f)(const Expression&, const Expression&)) {
  if (b.order() == 0) return {a.modes(), f(a.entry(), b.entry())};
  if (a.order() == 0) return {b.modes(), f(a.entry(), b.entry())};
  if (a.order() != b.order())
    user_error(
        "{} of a tensor of {} {} and one of {}: both need as many; with index variables, as in C(i,j) = A(i,j) {} "
        "x(j), "
        "say which modes belong together",
        what, a.order(), modes_text(a.order()), b.order(), what.size() == 1 ? what : "*");
  return {a.modes(), f(a.entry(), b.entry_at(a.modes()))};
}

WholeExpression entrywise(const WholeExpression& a, Expression (*f)(const Expression&)) {
  return {a.modes(), f(a.entry())};
}

WholeExpression matmul(const WholeExpression& a, const WholeExpression& b) {
  for (const WholeExpression* each : {&a, &b})
    if (each->order() < 1 || each->order() > 2)
      user_error(
          "matmul multiplies matrices and vectors, not a tensor of {} {}; write the product with index variables",
          each->order(), modes_text(each->order()));
  const IndexVar k;
  std::vector<IndexVar> rows = fresh(a.order() - 1), columns = fresh(b.order() - 1), left = rows, right = {k};
  left.push_back(k);
  right.insert(right.end(), columns.begin(), columns.end());
  std::vector<IndexVar> modes = rows;
  modes.insert(modes.end(), columns.begin(), columns.end());
  return {std::move(modes), sum(k, a.entry_at(left) * b.entry_at(right))};
}

WholeExpression sum(const WholeExpression& a) {
  Expression all = a.entry();
  for (auto mode = a.modes().rbegin(); mode != a.modes().rend(); ++mode) all = sum(*mode, all);
  return {{}, all};
}

}  // namespace lacuna
