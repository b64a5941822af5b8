#include <algorithm>

#include "fuzz/faults/faults.h"
#include "fuzz/faults/mutate.h"

namespace lacuna::fuzz {
namespace {

using loop::BinaryOp;
using loop::Expr;
using loop::Stmt;
using Change = std::optional<Stmt>;

Fault fault(std::string name, ChangeStmt change) {
  return {std::move(name), [change](Plan& plan) { return mutate(plan.lowered.module, change); }};
}

Stmt made(loop::StmtNode node) { return std::make_shared<const loop::StmtNode>(std::move(node)); }

const loop::Store* store_to(const Stmt& s, const std::string& ending) {
  const auto* store = as_node<loop::Store>(s);
  return store != nullptr && ends_with(store->array.name(), ending) ? store : nullptr;
}

bool is_workspace(const std::string& name) { return name == "w" || starts_with(name, "w_"); }

/// `x = x + 1`
bool is_increment(const Stmt& s) {
  const auto* a = as_node<loop::Assign>(s);
  const auto* add = a != nullptr ? as_binary(a->value, BinaryOp::Add) : nullptr;
  return add != nullptr && variable_name(add->left) == a->var.name() && loop::is_constant(add->right, 1);
}

const loop::While* merge_loop(const Stmt& s) {
  const auto* w = as_node<loop::While>(s);
  return w != nullptr && !mentions(w->condition, "_run") ? w : nullptr;
}

std::vector<std::size_t> merge_loops(const loop::Block& block) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < block.statements.size(); ++k)
    if (merge_loop(block.statements[k]) != nullptr) found.push_back(k);
  return found;
}

Change without_statement(const loop::Block& block, std::size_t which) {
  std::vector<Stmt> rest = block.statements;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(which));
  return made({loop::Block{std::move(rest)}});
}

Expr any_instead_of_all(const Expr& e) {
  const auto* b = as_binary(e, BinaryOp::And);
  return b == nullptr ? e : any_instead_of_all(b->left) || any_instead_of_all(b->right);
}

/// Whether a loop is over positions of a level (else over coordinates).
bool over_positions(const loop::For& f) { return mentions(f.low, "_pos") || starts_with(f.var.name(), "p"); }

Fault on_bounds(std::string name, bool positions, std::int64_t low, std::int64_t high) {
  return fault(std::move(name), [=](const Stmt& s) -> Change {
    const auto* f = as_node<loop::For>(s);
    if (f == nullptr || over_positions(*f) != positions || ends_with(f->var.name(), "_step")) return std::nullopt;
    loop::For changed = *f;
    changed.low = f->low + Expr(low);
    changed.high = f->high + Expr(high);
    return made({changed});
  });
}

void add_loop_faults(std::vector<Fault>& faults) {
  faults.push_back(on_bounds("a loop over positions starts one late", true, 1, 0));
  faults.push_back(on_bounds("a loop over positions ends one early", true, 0, -1));
  faults.push_back(on_bounds("a loop over positions ends one late", true, 0, 1));
  faults.push_back(on_bounds("a loop over coordinates starts one late", false, 1, 0));
  faults.push_back(on_bounds("a loop over coordinates ends one early", false, 0, -1));
  faults.push_back(fault("a merge goes on while any cursor is live", [](const Stmt& s) -> Change {
    const auto* w = merge_loop(s);
    if (w == nullptr || as_binary(w->condition, BinaryOp::And) == nullptr) return std::nullopt;
    return made({loop::While{any_instead_of_all(w->condition), w->body}});
  }));
  faults.push_back(fault("a merge visits the largest coordinate", [](const Stmt& s) -> Change {
    const auto* d = as_node<loop::Declare>(s);
    const auto* least = d != nullptr ? as_binary(d->init, BinaryOp::Min) : nullptr;
    if (least == nullptr) return std::nullopt;
    return made({loop::Declare{d->var, rebuilt(d->init, {BinaryOp::Max, least->left, least->right, false})}});
  }));
  faults.push_back(fault("the last tail of a merge is skipped", [](const Stmt& s) -> Change {
    const auto* b = as_node<loop::Block>(s);
    if (b == nullptr || merge_loops(*b).size() < 2) return std::nullopt;
    return without_statement(*b, merge_loops(*b).back());
  }));
  faults.push_back(fault("the first loop of a merge is skipped", [](const Stmt& s) -> Change {
    const auto* b = as_node<loop::Block>(s);
    if (b == nullptr || merge_loops(*b).size() < 2) return std::nullopt;
    return without_statement(*b, merge_loops(*b).front());
  }));
  faults.push_back(fault("all cursors of a merge advance", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    const auto* add = a != nullptr ? as_binary(a->value, BinaryOp::Add) : nullptr;
    const auto* step = add != nullptr ? as_node<loop::Convert>(add->right) : nullptr;
    if (step == nullptr || as_binary(step->operand, BinaryOp::Eq) == nullptr) return std::nullopt;
    return loop::increment(a->var);
  }));
  faults.push_back(fault("the cursor of a tail stands still", [](const Stmt& s) -> Change {
    const auto* w = merge_loop(s);
    const auto* b = w != nullptr ? as_node<loop::Block>(w->body) : nullptr;
    if (b == nullptr || b->statements.empty() || !is_increment(b->statements.back())) return std::nullopt;
    return made({loop::While{w->condition, *without_statement(*b, b->statements.size() - 1)}});
  }));
  faults.push_back(fault("a cursor that follows stands still", [](const Stmt& s) -> Change {
    const auto* i = as_node<loop::If>(s);
    if (i == nullptr || !starts_with(variable_name(i->condition), "has_") || !is_increment(i->then_branch))
      return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("a cursor that follows does not catch up", [](const Stmt& s) -> Change {
    const auto* w = merge_loop(s);
    const auto* both = w != nullptr ? as_binary(w->condition, BinaryOp::And) : nullptr;
    if (both == nullptr || as_binary(both->right, BinaryOp::Lt) == nullptr || !mentions(both->left, "_end") ||
        !is_increment(w->body))
      return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("a coordinate stored several times counts once", [](const Stmt& s) -> Change {
    const auto* w = as_node<loop::While>(s);
    if (w == nullptr || !mentions(w->condition, "_run")) return std::nullopt;
    return loop::if_then(w->condition, w->body);
  }));
  faults.push_back(fault("a coordinate stored several times takes all that follow", [](const Stmt& s) -> Change {
    const auto* w = as_node<loop::While>(s);
    const auto* both =
        w != nullptr && mentions(w->condition, "_run") ? as_binary(w->condition, BinaryOp::And) : nullptr;
    if (both == nullptr) return std::nullopt;
    return made({loop::While{both->left, w->body}});
  }));
  faults.push_back(fault("every loop is run in parallel", [](const Stmt& s) -> Change {
    const auto* f = as_node<loop::For>(s);
    if (f == nullptr || f->mode != loop::LoopMode::Serial || ends_with(f->var.name(), "_step")) return std::nullopt;
    loop::For changed = *f;
    changed.mode = loop::LoopMode::Parallel;
    return made({changed});
  }));
}

void add_presence_faults(std::vector<Fault>& faults) {
  const auto compares = [](const Stmt& s) -> const loop::Binary* {
    const auto* d = as_node<loop::Declare>(s);
    const auto* both = d != nullptr && starts_with(d->var.name(), "has_") ? as_binary(d->init, BinaryOp::And) : nullptr;
    return both != nullptr && as_binary(both->right, BinaryOp::Eq) != nullptr ? both : nullptr;
  };
  faults.push_back(fault("what is under a cursor is taken to be here", [compares](const Stmt& s) -> Change {
    if (compares(s) == nullptr) return std::nullopt;
    return made({loop::Declare{as_node<loop::Declare>(s)->var, compares(s)->left}});
  }));
  faults.push_back(fault("a cursor is read past its end", [compares](const Stmt& s) -> Change {
    if (compares(s) == nullptr) return std::nullopt;
    return made({loop::Declare{as_node<loop::Declare>(s)->var, compares(s)->right}});
  }));
  faults.push_back(fault("what was found is not noted", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    if (a == nullptr || !starts_with(a->var.name(), "has_") || !loop::is_true(a->value)) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("that a sum has a stored part is not noted", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    if (a == nullptr || !starts_with(a->var.name(), "stored_")) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("every sum has a stored part", [](const Stmt& s) -> Change {
    const auto* d = as_node<loop::Declare>(s);
    if (d == nullptr || !starts_with(d->var.name(), "stored_")) return std::nullopt;
    return made({loop::Declare{d->var, Expr(true)}});
  }));
  faults.push_back(fault("the cases after the first are forgotten", [](const Stmt& s) -> Change {
    const auto* i = as_node<loop::If>(s);
    if (i == nullptr || i->else_branch == nullptr || as_binary(i->condition, BinaryOp::And) == nullptr)
      return std::nullopt;
    return loop::if_then(i->condition, i->then_branch);
  }));
  faults.push_back(fault("the first case of a merge takes what the others should", [](const Stmt& s) -> Change {
    const auto* i = as_node<loop::If>(s);
    const auto* both = i != nullptr && i->else_branch != nullptr ? as_binary(i->condition, BinaryOp::And) : nullptr;
    if (both == nullptr) return std::nullopt;
    return loop::if_then(both->left, i->then_branch, i->else_branch);
  }));
  faults.push_back(fault("a bitmap's entry is stored without its mark", [](const Stmt& s) -> Change {
    if (store_to(s, "_present") == nullptr) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("only the last level of a bitmap is marked", [](const Stmt& s) -> Change {
    if (store_to(s, "1_present") == nullptr) return std::nullopt;
    return nothing();
  }));
}

void add_accumulation_faults(std::vector<Fault>& faults) {
  faults.push_back(fault("the last addition to the result wins", [](const Stmt& s) -> Change {
    const auto* store = store_to(s, "_vals");
    if (store == nullptr || store->op != loop::StoreOp::Add) return std::nullopt;
    return loop::store(store->array, store->index, store->value);
  }));
  faults.push_back(fault("the last addition to a temporary wins", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    const auto* add = a != nullptr ? as_binary(a->value, BinaryOp::Add) : nullptr;
    if (add == nullptr || !add->wraps || variable_name(add->left) != a->var.name()) return std::nullopt;
    return loop::assign(a->var, add->right);
  }));
  faults.push_back(fault("the last addition to a workspace wins", [](const Stmt& s) -> Change {
    const auto* store = as_node<loop::Store>(s);
    if (store == nullptr || store->op != loop::StoreOp::Add || !is_workspace(store->array.name())) return std::nullopt;
    return loop::store(store->array, store->index, store->value);
  }));
  faults.push_back(fault("integers are summed in int8", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    const auto* add = a != nullptr ? as_binary(a->value, BinaryOp::Add) : nullptr;
    if (add == nullptr || !add->wraps || !is_integer(a->value.scalar()) || variable_name(add->left) != a->var.name())
      return std::nullopt;
    return loop::assign(a->var, loop::convert(loop::convert(a->value, Type::Int8), a->value.scalar()));
  }));
  faults.push_back(fault("a temporary is cleared once instead of in every iteration", [](const Stmt& s) -> Change {
    const auto* f = as_node<loop::For>(s);
    const auto* body = f != nullptr ? as_node<loop::Block>(f->body) : nullptr;
    if (body == nullptr) return std::nullopt;
    std::vector<Stmt> before, rest;
    for (const Stmt& each : body->statements) {
      const auto* d = as_node<loop::Declare>(each);
      const bool hoisted =
          d != nullptr && as_node<loop::Constant>(d->init) != nullptr && !starts_with(d->var.name(), "has_p");
      (hoisted ? before : rest).push_back(each);
    }
    if (before.empty()) return std::nullopt;
    loop::For changed = *f;
    changed.body = made({loop::Block{std::move(rest)}});
    changed.mode = loop::LoopMode::Serial;
    before.push_back(made({changed}));
    return made({loop::Block{std::move(before)}});
  }));
  faults.push_back(fault("marks of a workspace are not cleared", [](const Stmt& s) -> Change {
    const auto* store = store_to(s, "_mark");
    if (store == nullptr || !loop::is_constant(store->value, 0)) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("marks of a workspace start undefined", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Allocate>(s);
    if (a == nullptr || !ends_with(a->array.name(), "_mark") || !a->zeroed) return std::nullopt;
    return loop::allocate(a->array, a->count, false);
  }));
  faults.push_back(fault("a workspace's list is not emptied", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    if (a == nullptr || !is_workspace(a->var.name()) || !loop::is_constant(a->value, 0)) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("later stored parts are not marked in a workspace", [](const Stmt& s) -> Change {
    const auto* store = store_to(s, "_mark");
    if (store == nullptr || store->op != loop::StoreOp::Or) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("the first part in a workspace is never marked as stored", [](const Stmt& s) -> Change {
    const auto* store = store_to(s, "_mark");
    if (store == nullptr || store->op != loop::StoreOp::Set || !loop::is_constant(store->value, 3)) return std::nullopt;
    return loop::store(store->array, store->index, loop::constant(Type::UInt8, 1));
  }));
  faults.push_back(fault("a workspace is drained unsorted", [](const Stmt& s) -> Change {
    if (as_node<loop::Sort>(s) == nullptr) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("values are not cleared first", [](const Stmt& s) -> Change {
    const auto* f = as_node<loop::Fill>(s);
    if (f == nullptr || !ends_with(f->array.name(), "_vals")) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("a bitmap is not cleared first", [](const Stmt& s) -> Change {
    const auto* f = as_node<loop::Fill>(s);
    if (f == nullptr || !ends_with(f->array.name(), "_present")) return std::nullopt;
    return nothing();
  }));
}

void add_assembly_faults(std::vector<Fault>& faults) {
  faults.push_back(fault("segments of the result are not closed", [](const Stmt& s) -> Change {
    const auto* store = store_to(s, "_pos");
    if (store == nullptr || as_node<loop::Constant>(store->index) != nullptr) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("segments of the result are closed one parent early", [](const Stmt& s) -> Change {
    const auto* store = store_to(s, "_pos");
    const auto* next = store != nullptr ? as_binary(store->index, BinaryOp::Add) : nullptr;
    if (next == nullptr || !loop::is_constant(next->right, 1)) return std::nullopt;
    return loop::store(store->array, next->left, store->value);
  }));
  faults.push_back(fault("arrays never grow", [](const Stmt& s) -> Change {
    const auto* i = as_node<loop::If>(s);
    if (i == nullptr || !mentions(i->condition, "_capacity")) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("arrays grow to the capacity that they have", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    if (a == nullptr || !ends_with(a->var.name(), "_capacity")) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("values do not grow with coordinates", [](const Stmt& s) -> Change {
    const auto* r = as_node<loop::Resize>(s);
    if (r == nullptr || !ends_with(r->array.name(), "_vals")) return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("an appended entry is not counted", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    if (a == nullptr || !ends_with(a->var.name(), "_count") || is_workspace(a->var.name()) || !is_increment(s))
      return std::nullopt;
    return nothing();
  }));
  faults.push_back(fault("coordinates of the result are one too small", [](const Stmt& s) -> Change {
    const auto* store = store_to(s, "_crd");
    if (store == nullptr) return std::nullopt;
    return loop::store(store->array, store->index,
                       loop::max(store->value - Expr(1), loop::constant(store->value.scalar(), 0)));
  }));
}

}  // namespace

std::vector<Fault> statement_faults() {
  std::vector<Fault> faults;
  add_loop_faults(faults);
  add_presence_faults(faults);
  add_accumulation_faults(faults);
  add_assembly_faults(faults);
  return faults;
}

}  // namespace lacuna::fuzz
