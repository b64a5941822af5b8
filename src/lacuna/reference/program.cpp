#include "lacuna/reference/program.h"

#include <set>

#include "lacuna/reference/join.h"
#include "lacuna/support/check.h"

namespace lacuna::reference {

Program ProgramBuilder::build(const Expr& e, const std::vector<IndexVar>& variables) {
  extents_.clear();
  Scope scope;
  for (const IndexVar& var : variables) scope.emplace(var, new_slot(var));
  return bind(e, scope);
}

int ProgramBuilder::new_slot(const IndexVar& var) {
  const auto known = dimensions_.find(var);
  if (known == dimensions_.end()) user_error("no size is given for the index variable {}", var.name());
  extents_.push_back(known->second);
  return static_cast<int>(extents_.size()) - 1;
}

Program ProgramBuilder::bind(const Expr& e, const Scope& scope) {
  if (as<Sum>(e) != nullptr) return bind_sum(e, scope);
  Program program;
  program.expr = e;
  program.type = type_of(e, facts_);
  for (const Expr& child : children(e)) program.children.push_back(bind(child, scope));
  if (const auto* access = as<Access>(e)) {
    program.entries = &entries_.at(access->tensor.name());
    for (const IndexVar& var : access->indices) program.slots.push_back(scope.at(var));
  }
  if (const auto* index = as<IndexValue>(e)) program.slots.push_back(scope.at(index->var));
  return program;
}

Program ProgramBuilder::bind_sum(const Expr& e, Scope scope) {
  std::set<int> known;
  for (const auto& [var, slot] : scope) known.insert(slot);
  const IndexVar& var = as<Sum>(e)->var;
  const int slot = new_slot(var);
  scope[var] = slot;
  Program program;
  program.expr = e;
  program.type = type_of(e, facts_);
  program.slots.push_back(slot);
  program.children.push_back(bind(as<Sum>(e)->body, scope));
  program.join = std::make_shared<const Join>(program.children[0], std::vector<int>{slot}, known, extents_);
  return program;
}

}  // namespace lacuna::reference
