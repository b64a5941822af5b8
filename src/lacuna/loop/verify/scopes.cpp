#include "lacuna/loop/verify/scopes.h"

#include <algorithm>

#include "lacuna/support/check.h"

namespace lacuna::loop::verifier {

bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_part);
}

void Scopes::close() {
  for (const Var& each : levels_.back()) visible_.erase(each);
  levels_.pop_back();
}

void Scopes::declare(const Var& var) {
  internal_check(is_identifier(var.name()), "the name `{}` is no identifier", var.name());
  internal_check(!reserved_.contains(var.name()), "the name {} of a variable is taken", var.name());
  const auto [owner, is_new] = owner_.emplace(var.name(), var);
  internal_check(is_new || owner->second == var, "two variables are called {}", var.name());
  internal_check(visible_.emplace(var, parallel_.size()).second, "{} is declared twice", var.name());
  levels_.back().push_back(var);
}

void Scopes::require(const Var& var) const {
  internal_check(visible_.contains(var), "{} is used where it is not declared", var.name());
}

void Scopes::require_unshared(const Var& var) const {
  require(var);
  for (std::size_t k = visible_.at(var); k < parallel_.size(); k++) {
    const auto& reductions = parallel_[k]->reductions;
    const bool reduces =
        std::any_of(reductions.begin(), reductions.end(), [&](const Reduction& each) { return each.var == var; });
    internal_check(reduces, "iterations of the parallel loop over {} all change {}, which is declared outside",
                   parallel_[k]->var.name(), var.name());
  }
}

}  // namespace lacuna::loop::verifier
