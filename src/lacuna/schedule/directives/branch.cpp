#include "lacuna/schedule/directives/branch.h"

#include <algorithm>

#include "lacuna/schedule/problem/tree.h"

namespace lacuna::branch {

using concrete::Forall;
using concrete::Program;
using concrete::Stmt;

Expr rename(const Expr& e, const Renaming& names) {
  const auto renamed = [&](const IndexVar& v) {
    const auto it = names.find(v);
    return it == names.end() ? v : it->second;
  };
  if (const auto* a = as<Access>(e)) {
    std::vector<IndexVar> indices;
    for (const IndexVar& v : a->indices) indices.push_back(renamed(v));
    return make_expr(Access{a->tensor, indices}, e.where());
  }
  if (const auto* v = as<IndexValue>(e)) return Expr(renamed(v->var));
  std::vector<Expr> operands = children(e);
  for (Expr& x : operands) x = rename(x, names);
  return with_children(e, operands);
}

bool uses_some(const Program& p, const std::vector<IndexVar>& variables, const IndexVar& loop) {
  const std::vector<IndexVar> all = p.provenance.underived(loop);
  return std::any_of(all.begin(), all.end(), [&](const IndexVar& v) { return contains(variables, v); });
}

bool uses_all(const Program& p, const std::vector<IndexVar>& variables, const IndexVar& loop) {
  const std::vector<IndexVar> all = p.provenance.underived(loop);
  return std::all_of(all.begin(), all.end(), [&](const IndexVar& v) { return contains(variables, v); });
}

namespace {

/// Loops gallop on the side, or sides, where there is something to merge.
concrete::Merge merge_of(const concrete::Execution& how, const Expr& e, const IndexVar& v) {
  int merged = 0;
  for (const Access& a : accesses(e)) merged += contains(a.indices, v) ? 1 : 0;
  return merged > 1 ? how.merge : concrete::Merge::TwoFinger;
}

}  // namespace

std::vector<IndexVar> consumer_variables(const Split& split) {
  std::vector<IndexVar> all = free_variables(split.rest);
  all.insert(all.end(), split.assign.target.indices.begin(), split.assign.target.indices.end());
  return all;
}

Stmt in_two(const Program& p, const std::vector<const Forall*>& loops, const Split& split) {
  const auto produced_by = [&](const IndexVar& v) {
    const auto it = split.names.find(v);
    return it == split.names.end() ? v : it->second;
  };
  std::vector<IndexVar> produced;
  for (const IndexVar& v : split.modes) produced.push_back(produced_by(v));
  Stmt producer = concrete::assign(Access{split.temporary, produced}, rename(split.part, split.names), true);
  Stmt consumer = concrete::assign(split.assign.target, split.rest, split.assign.accumulate);
  const std::vector<IndexVar> produces = free_variables(split.part);
  const std::vector<IndexVar> consumes = consumer_variables(split);
  for (auto f = loops.rbegin(); f != loops.rend(); ++f) {
    const IndexVar& v = (*f)->var;
    const bool both = uses_some(p, split.modes, v);
    concrete::Execution producing = (*f)->how, consuming = producing;
    if (both) {
      producing = {.merge = merge_of(producing, split.part, v)};
      consuming.merge = merge_of(consuming, split.rest, v);
    }
    if (uses_some(p, produces, v)) producer = concrete::forall(produced_by(v), producer, producing);
    if (uses_some(p, consumes, v) || both) consumer = concrete::forall(v, consumer, consuming);
  }
  return concrete::where(consumer, producer);
}

Type sum_type(const Program& p, const concrete::Assign& assign) {
  const concrete::Tensor& target = p.at(assign.target.tensor);
  return target.role == concrete::Role::Result ? p.compute : target.type;
}

}  // namespace lacuna::branch
