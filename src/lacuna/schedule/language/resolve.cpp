#include "lacuna/schedule/language/resolve.h"

#include <vector>

namespace lacuna {

Expr resolve_names(const Expr& e, const std::set<std::string>& variables) {
  if (const auto* access = as<Access>(e)) {
    const bool is_value = access->indices.empty() && variables.count(access->tensor.name()) > 0;
    return is_value ? make_expr(IndexValue{IndexVar(access->tensor.name())}, e.where()) : e;
  }
  if (const auto* value = as<IndexValue>(e)) {
    if (variables.count(value->var.name()) > 0) return e;
    return make_expr(Access{TensorVar(value->var.name(), 0), {}}, e.where());
  }
  std::vector<Expr> parts = children(e);
  const auto* sum = as<Sum>(e);
  if (sum != nullptr && variables.count(sum->var.name()) == 0) {
    std::set<std::string> with_bound = variables;
    with_bound.insert(sum->var.name());
    parts[0] = resolve_names(parts[0], with_bound);
  } else {
    for (Expr& part : parts) part = resolve_names(part, variables);
  }
  return with_children(e, parts);
}

}  // namespace lacuna
