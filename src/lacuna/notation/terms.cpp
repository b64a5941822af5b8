#include <algorithm>

#include "lacuna/notation/check.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

void split(const Expr& e, bool negative, const std::vector<IndexVar>& left, std::vector<Term>& terms) {
  if (const auto* negate = as<Negate>(e)) return split(negate->operand, !negative, left, terms);
  const auto* binary = as<Binary>(e);
  if (binary != nullptr && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub)) {
    split(binary->left, negative, left, terms);
    return split(binary->right, negative != (binary->op == BinaryOp::Sub), left, terms);
  }
  Term term{negative, e, {}};
  for (const IndexVar& var : free_variables(e)) {
    if (std::find(left.begin(), left.end(), var) == left.end()) term.sums.push_back(var);
  }
  terms.push_back(std::move(term));
}

}  // namespace

std::vector<Term> terms_of(const Statement& s) {
  internal_check(s.rhs.defined(), "a statement without a right side");
  std::vector<Term> terms;
  split(s.rhs, false, s.lhs.indices, terms);
  return terms;
}

std::vector<std::string> operand_names(const Statement& s) {
  std::vector<std::string> names;
  for (const Access& access : accesses(s.rhs)) {
    const std::string& name = access.tensor.name();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace lacuna
