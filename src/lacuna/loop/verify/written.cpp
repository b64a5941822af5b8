#include "lacuna/loop/verify/written.h"

#include <algorithm>
#include <optional>

#include "lacuna/loop/walk.h"

namespace lacuna::loop::verifier {
namespace {

std::optional<std::size_t> parameter_number(const Function& function, const Var& var) {
  const auto found = std::find(function.parameters.begin(), function.parameters.end(), var);
  if (found == function.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - function.parameters.begin());
}

/// The arrays that the function changes, given what the functions it calls change.
std::set<std::size_t> changed_by(const Function& function, const WrittenParameters& known) {
  std::set<std::size_t> changed;
  const auto note = [&](const Var& var) {
    if (const auto number = parameter_number(function, var)) changed.insert(*number);
  };
  for_each(function.body, [&](const Stmt& stmt) {
    if (const auto* node = std::get_if<Store>(&stmt->kind)) note(node->array);
    if (const auto* node = std::get_if<For>(&stmt->kind))
      for (const OwnSum& each : node->sums) note(each.total);
    if (const auto* node = std::get_if<Sort>(&stmt->kind)) note(node->array);
    if (const auto* node = std::get_if<Fill>(&stmt->kind)) note(node->array);
    if (const auto* node = std::get_if<MatrixProduct>(&stmt->kind)) note(node->target.array);
  });
  for_each_expression(function.body, [&](const Expr& expr) {
    const auto* call = std::get_if<Invoke>(&expr.node().kind);
    const auto callee = call ? known.find(call->function) : known.end();
    if (callee == known.end()) return;
    for (const std::size_t k : callee->second) {
      if (k >= call->arguments.size()) continue;
      if (const auto* use = std::get_if<VarUse>(&call->arguments[k].node().kind)) note(use->var);
    }
  });
  return changed;
}

}  // namespace

WrittenParameters written_parameters(const Module& module) {
  WrittenParameters known;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Function& function : module.functions) {
      std::set<std::size_t> changed = changed_by(function, known);
      grows = grows || changed.size() > known[function.name].size();
      known[function.name] = std::move(changed);
    }
  }
  return known;
}

}  // namespace lacuna::loop::verifier
