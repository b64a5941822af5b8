#include "fuzz/faults/update_faults.h"

#include "fuzz/faults/mutate.h"

namespace lacuna::fuzz {
namespace {

using loop::BinaryOp;
using loop::Expr;
using loop::Stmt;

Stmt made(loop::StmtNode node) { return std::make_shared<const loop::StmtNode>(std::move(node)); }

const loop::Store* store_to_counts(const Stmt& s) {
  const auto* store = as_node<loop::Store>(s);
  return store != nullptr && store->array.name() == "counts" ? store : nullptr;
}

/// counts[…] = counts[…] + 1
bool counts_up(const Stmt& s) {
  const auto* store = store_to_counts(s);
  const auto* add = store != nullptr ? as_binary(store->value, BinaryOp::Add) : nullptr;
  return add != nullptr && as_node<loop::Load>(add->left) != nullptr && loop::is_constant(add->right, 1);
}

/// counts[…] = counts[…] - 1
bool counts_down(const Stmt& s) {
  const auto* store = store_to_counts(s);
  return store != nullptr && (as_binary(store->value, BinaryOp::Sub) != nullptr ||
                              (as_binary(store->value, BinaryOp::Add) != nullptr && !counts_up(s)));
}

bool contains(const Stmt& s, const std::function<bool(const Stmt&)>& wanted) {
  bool found = false;
  ChangeStmt look = [&](const Stmt& each) -> std::optional<Stmt> {
    found = found || wanted(each);
    return std::nullopt;
  };
  loop::Module module;
  module.body = s;
  mutate(module, look);
  return found;
}

bool is_given(const Expr& e) {
  const auto* load = as_node<loop::Load>(e);
  return load != nullptr && load->array.name() == "given";
}

UpdateFault in_statements(std::string name, ChangeStmt change) {
  return {std::move(name), [change](loop::Module& module) { return mutate(module, change); }};
}

}  // namespace

std::vector<UpdateFault> update_faults() {
  std::vector<UpdateFault> faults;
  faults.push_back(in_statements("a batch takes every update for one of the row before", [](const Stmt& s) {
    const auto* assign = as_node<loop::Assign>(s);
    const bool same = assign != nullptr && assign->var.name() == "same";
    return same ? std::optional<Stmt>(nothing()) : std::nullopt;
  }));
  faults.push_back({"adding forgets what was there", [](loop::Module& module) {
                      return mutate(module, [](const Expr& e) -> std::optional<Expr> {
                        const auto* add = as_binary(e, BinaryOp::Add);
                        return add != nullptr && is_given(add->right) ? std::optional<Expr>(add->right) : std::nullopt;
                      });
                    }});
  faults.push_back(in_statements("an entry that is there is left as it was", [](const Stmt& s) -> std::optional<Stmt> {
    const auto* branch = as_node<loop::If>(s);
    const bool of_place = branch != nullptr && branch->else_branch != nullptr &&
                          contains(branch->then_branch, [](const Stmt& each) { return counts_up(each); });
    if (!of_place) return std::nullopt;
    return made({loop::If{branch->condition, branch->then_branch, nullptr}});
  }));
  faults.push_back(in_statements("entries that come are not counted", [](const Stmt& s) {
    return counts_up(s) ? std::optional<Stmt>(nothing()) : std::nullopt;
  }));
  faults.push_back(in_statements("entries that go are still counted", [](const Stmt& s) {
    return counts_down(s) ? std::optional<Stmt>(nothing()) : std::nullopt;
  }));
  faults.push_back({"the functions of levels take equal for less", [](loop::Module& module) {
                      loop::Module functions;
                      functions.body = nothing();
                      functions.functions = module.functions;
                      const bool changed = mutate(functions, [](const Expr& e) -> std::optional<Expr> {
                        const auto* less = as_binary(e, BinaryOp::Lt);
                        if (less == nullptr) return std::nullopt;
                        return rebuilt(e, {BinaryOp::Le, less->left, less->right});
                      });
                      module.functions = functions.functions;
                      return changed;
                    }});
  return faults;
}

}  // namespace lacuna::fuzz
