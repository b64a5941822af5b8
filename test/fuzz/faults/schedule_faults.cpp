#include <algorithm>
#include <functional>

#include "fuzz/faults/faults.h"
#include "fuzz/faults/mutate.h"
#include "lacuna/loop/own_sums.h"
#include "lacuna/loop/walk.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna::fuzz {
namespace {

using loop::BinaryOp;
using loop::Expr;
using loop::LoopMode;
using loop::Stmt;
using Change = std::optional<Stmt>;

Fault in_statements(std::string name, ChangeStmt change) {
  return {std::move(name), [change](Plan& plan) { return mutate(plan.lowered.module, change); }};
}
Fault in_expressions(std::string name, ChangeExpr change) {
  return {std::move(name), [change](Plan& plan) { return mutate(plan.lowered.module, change); }};
}

Stmt made(loop::StmtNode node) { return std::make_shared<const loop::StmtNode>(std::move(node)); }

/// What a declaration whose name ends so starts with becomes; none where that says nothing.
Fault in_declarations(std::string name, std::string ending, std::function<std::optional<Expr>(const Expr&)> change) {
  return in_statements(std::move(name), [ending, change](const Stmt& s) -> Change {
    const auto* d = as_node<loop::Declare>(s);
    if (d == nullptr || !ends_with(d->var.name(), ending)) return std::nullopt;
    const std::optional<Expr> now = change(d->init);
    return now ? Change(made({loop::Declare{d->var, *now}})) : std::nullopt;
  });
}

/// What a loop is run over becomes, where it begins or ends at something computed.
Fault in_windows(std::string name, std::function<bool(loop::For&)> change) {
  return in_statements(std::move(name), [change](const Stmt& s) -> Change {
    const auto* f = as_node<loop::For>(s);
    if (f == nullptr || starts_with(f->var.name(), "p") || ends_with(f->var.name(), "_step")) return std::nullopt;
    loop::For changed = *f;
    return change(changed) ? Change(made({std::move(changed)})) : std::nullopt;
  });
}

Fault in_parallel_loops(std::string name, std::function<bool(loop::For&)> change) {
  return in_statements(std::move(name), [change](const Stmt& s) -> Change {
    const auto* f = as_node<loop::For>(s);
    if (f == nullptr || f->mode != LoopMode::Parallel) return std::nullopt;
    loop::For changed = *f;
    return change(changed) ? Change(made({std::move(changed)})) : std::nullopt;
  });
}

const loop::LowerBound* as_search(const Expr& e) { return as_node<loop::LowerBound>(e); }

Expr search(const Expr& like, loop::LowerBound node) {
  return Expr(std::make_shared<const loop::ExprNode>(loop::ExprNode{std::move(node), like.type()}));
}

void add_windows(std::vector<Fault>& faults) {
  faults.push_back(in_windows("a window begins one early", [](loop::For& f) {
    const bool computed = as_binary(f.low, BinaryOp::Mul) != nullptr || as_binary(f.low, BinaryOp::Add) != nullptr;
    f.low = f.low - Expr(1);
    return computed;
  }));
  faults.push_back(in_windows("a window begins one late", [](loop::For& f) {
    const bool computed = as_binary(f.low, BinaryOp::Mul) != nullptr || as_binary(f.low, BinaryOp::Add) != nullptr;
    f.low = f.low + Expr(1);
    return computed;
  }));
  faults.push_back(in_windows("a piece is not clipped", [](loop::For& f) {
    const auto* least = as_binary(f.high, BinaryOp::Min);
    if (least == nullptr) return false;
    f.high = least->left;
    return true;
  }));
  faults.push_back(in_windows("the last piece is left out", [](loop::For& f) {
    const auto* rounded = as_binary(f.high, BinaryOp::Div);
    const auto* up = rounded != nullptr ? as_binary(rounded->left, BinaryOp::Add) : nullptr;
    if (up == nullptr) return false;
    f.high = rebuilt(f.high, {BinaryOp::Div, up->left, rounded->right, false});
    return true;
  }));
  faults.push_back(
      in_expressions("pieces are laid out with a step of one less", [](const Expr& e) -> std::optional<Expr> {
        const auto* product = as_binary(e, BinaryOp::Mul);
        const auto* size = product != nullptr ? as_node<loop::Constant>(product->right) : nullptr;
        if (size == nullptr || size->value.type() != Type::Int64 || size->value.as<std::int64_t>() < 2)
          return std::nullopt;
        return product->left * Expr(size->value.as<std::int64_t>() - 1);
      }));
  faults.push_back(in_statements("values of a piece past the end are not left out", [](const Stmt& s) -> Change {
    const auto* i = as_node<loop::If>(s);
    const auto* less = i != nullptr && !i->else_branch ? as_binary(i->condition, BinaryOp::Lt) : nullptr;
    if (less == nullptr || as_binary(less->left, BinaryOp::Add) == nullptr) return std::nullopt;
    return i->then_branch;
  }));
}

void add_pieces(std::vector<Fault>& faults) {
  faults.push_back(in_expressions("lengths of pieces are rounded down", [](const Expr& e) -> std::optional<Expr> {
    const auto* length = as_binary(e, BinaryOp::Div);
    const auto* up = length != nullptr ? as_binary(length->left, BinaryOp::Add) : nullptr;
    if (up == nullptr || as_node<loop::Constant>(up->right) == nullptr) return std::nullopt;
    return rebuilt(e, {BinaryOp::Div, up->left, length->right, false});
  }));
  faults.push_back(in_expressions("the halves of a pair are exchanged", [](const Expr& e) -> std::optional<Expr> {
    const auto* inner = as_binary(e, BinaryOp::Mod);
    if (inner == nullptr || !(e.type() == loop::scalar_type(Type::Int64))) return std::nullopt;
    return rebuilt(e, {BinaryOp::Div, inner->left, inner->right, false});
  }));
}

/// The first or the second of what is taken the larger or smaller of.
std::function<std::optional<Expr>(const Expr&)> first_of(BinaryOp op) {
  return [op](const Expr& e) -> std::optional<Expr> {
    const auto* b = as_binary(e, op);
    return b != nullptr ? std::optional(b->left) : std::nullopt;
  };
}

/// The first position that is searched for, without the step back to the row that it lies in.
std::optional<Expr> without_step_back(const Expr& e) {
  const auto* b = as_node<loop::Binary>(e);
  return b != nullptr && as_search(b->left) != nullptr ? std::optional(b->left) : std::nullopt;
}

std::optional<Expr> searched_from(const Expr& e) {
  const auto* found = as_search(e);
  return found != nullptr ? std::optional(found->low) : std::nullopt;
}

std::optional<Expr> searched_to(const Expr& e) {
  const auto* found = as_search(e);
  return found != nullptr ? std::optional(found->high) : std::nullopt;
}

void add_positions(std::vector<Fault>& faults) {
  const auto plus_one = [](const Expr& e) -> std::optional<Expr> { return e + Expr(1); };
  faults.push_back(in_declarations("a row begins before the positions of its piece", "_from", first_of(BinaryOp::Max)));
  faults.push_back(in_declarations("a row ends after the positions of its piece", "_to", first_of(BinaryOp::Min)));
  faults.push_back(in_declarations("the positions of a piece begin one late", "_first", plus_one));
  faults.push_back(in_declarations("the positions of a piece end one late", "_past", plus_one));
  faults.push_back(in_declarations("the row of a position is the one after it", "_first", without_step_back));
  faults.push_back(in_declarations("a walk through a window starts where the row does", "_from", searched_from));
  faults.push_back(in_declarations("a walk through a window ends where the row does", "_to", searched_to));
}

void add_merges(std::vector<Fault>& faults) {
  faults.push_back(in_expressions("galloping leaps one too far", [](const Expr& e) -> std::optional<Expr> {
    const auto* found = as_search(e);
    if (found == nullptr || !found->near) return std::nullopt;
    loop::LowerBound further = *found;
    further.key = further.key + loop::constant(further.key.scalar(), 1);
    return search(e, std::move(further));
  }));
  faults.push_back(in_expressions("galloping gives up halfway", [](const Expr& e) -> std::optional<Expr> {
    const auto* found = as_search(e);
    if (found == nullptr || !found->near) return std::nullopt;
    return found->high;
  }));
}

/// Changes the statements that a loop's sums stand for, in `part`: its setup or its teardown.
bool change_sums(loop::For& f, Stmt& part, const std::function<Stmt(const Stmt&)>& change) {
  if (f.sums.empty() || f.setup || f.teardown) return false;
  f = loop::with_sums_written_out(f);
  std::vector<Stmt> changed;
  for (const Stmt& each : loop::statements(part)) changed.push_back(change(each));
  part = loop::block(std::move(changed));
  return true;
}

void add_threads(std::vector<Fault>& faults) {
  faults.push_back(in_program("what keeps iterations apart is forgotten", [](concrete::Program& p) {
    bool any = false;
    p.root = tree::rewrite(p.root, [&](const concrete::Stmt& s) {
      const auto* f = std::get_if<concrete::Forall>(&s->kind);
      if (f == nullptr || f->how.unit != concrete::Unit::CpuThread || f->how.race == concrete::Race::NoRaces) return s;
      any = true;
      concrete::Execution how = f->how;
      how.race = concrete::Race::NoRaces;
      return concrete::forall(f->var, f->body, how);
    });
    return any;
  }));
  faults.push_back(in_parallel_loops("a thread's sums are dropped", [](loop::For& f) {
    const bool any = !f.reductions.empty();
    f.reductions.clear();
    return any;
  }));
  faults.push_back(in_statements("the sums of lanes are dropped", [](const Stmt& s) -> Change {
    const auto* f = as_node<loop::For>(s);
    if (f == nullptr || f->mode != LoopMode::Vector || f->reductions.empty()) return std::nullopt;
    loop::For changed = *f;
    changed.reductions.clear();
    return made({std::move(changed)});
  }));
  faults.push_back(in_statements("additions are not atomic", [](const Stmt& s) -> Change {
    const auto* store = as_node<loop::Store>(s);
    if (store == nullptr || !store->atomic) return std::nullopt;
    loop::Store plain = *store;
    plain.atomic = false;
    return made({std::move(plain)});
  }));
  faults.push_back(in_statements("threads share what each should have for itself", [](const Stmt& s) -> Change {
    const auto* f = as_node<loop::For>(s);
    if (f == nullptr || f->setup == nullptr) return std::nullopt;
    loop::For changed = *f;
    changed.setup = changed.teardown = nullptr;
    return loop::block({f->setup, made({std::move(changed)}), f->teardown});
  }));
  faults.push_back(in_parallel_loops("a thread's own result is not added", [](loop::For& f) {
    return change_sums(f, f.teardown, [](const Stmt& s) { return as_node<loop::For>(s) != nullptr ? nothing() : s; });
  }));
  faults.push_back(in_parallel_loops("a thread's own result is not cleared first", [](loop::For& f) {
    return change_sums(f, f.setup, [](const Stmt& s) {
      const auto* a = as_node<loop::Allocate>(s);
      return a != nullptr ? loop::allocate(a->array, a->count, false) : s;
    });
  }));
}

void add_workspaces(std::vector<Fault>& faults) {
  faults.push_back(in_statements("a workspace keeps what is in it", [](const Stmt& s) -> Change {
    const auto* f = as_node<loop::Fill>(s);
    if (f == nullptr || !(starts_with(f->array.name(), "w_") || f->array.name() == "w")) return std::nullopt;
    return nothing();
  }));
}

void add_shares(std::vector<Fault>& faults) {
  faults.push_back(in_statements("entries of shares are not counted up", [](const Stmt& s) -> Change {
    const auto* store = as_node<loop::Store>(s);
    if (store == nullptr || store->op != loop::StoreOp::Add || !ends_with(store->array.name(), "_counts"))
      return std::nullopt;
    return nothing();
  }));
  faults.push_back(in_statements("a share's segments are not shifted", [](const Stmt& s) -> Change {
    const auto* store = as_node<loop::Store>(s);
    if (store == nullptr || store->op != loop::StoreOp::Add || !ends_with(store->array.name(), "_pos"))
      return std::nullopt;
    return nothing();
  }));
  faults.push_back(in_statements("a share's inner segments are not shifted", [](const Stmt& s) -> Change {
    const auto* store = as_node<loop::Store>(s);
    const auto* shifted = store != nullptr ? as_binary(store->value, BinaryOp::Add) : nullptr;
    const auto* from = shifted != nullptr ? as_node<loop::Load>(shifted->left) : nullptr;
    if (from == nullptr || !starts_with(from->array.name(), "own_") || !ends_with(store->array.name(), "_pos"))
      return std::nullopt;
    return loop::store(store->array, store->index, shifted->left);
  }));
  faults.push_back(
      in_declarations("shares overlap by one coordinate", "_begin", [](const Expr& e) -> std::optional<Expr> {
        const auto* cut = as_node<loop::Load>(e);
        if (cut == nullptr || !ends_with(cut->array.name(), "_cuts")) return std::nullopt;
        return loop::max(e - Expr(1), Expr(0));
      }));
  faults.push_back(
      in_declarations("a share's entries are put where the one before ends, less one", "_before",
                      [](const Expr& e) -> std::optional<Expr> { return loop::max(e - Expr(1), Expr(0)); }));
}

void add_insertion(std::vector<Fault>& faults) {
  faults.push_back(in_declarations("entries are inserted where those of the parent before are", "_p",
                                   [](const Expr& e) -> std::optional<Expr> {
                                     const auto* wide = as_node<loop::Convert>(e);
                                     const auto* begin = as_node<loop::Load>(wide != nullptr ? wide->operand : e);
                                     if (begin == nullptr || !ends_with(begin->array.name(), "_pos"))
                                       return std::nullopt;
                                     const Expr before = loop::max(begin->index - Expr(1), Expr(0));
                                     return loop::convert(loop::load(begin->array, before), Type::Int64);
                                   }));
  faults.push_back(in_statements("counts of inserted entries are not summed up", [](const Stmt& s) -> Change {
    const auto* a = as_node<loop::Assign>(s);
    const auto* sum = a != nullptr ? as_binary(a->value, BinaryOp::Add) : nullptr;
    const auto* count = sum != nullptr ? as_node<loop::Load>(sum->right) : nullptr;
    if (count == nullptr || !ends_with(count->array.name(), "_pos") || !ends_with(a->var.name(), "_count"))
      return std::nullopt;
    return loop::assign(a->var, sum->right);
  }));
}

}  // namespace

std::vector<Fault> schedule_faults() {
  std::vector<Fault> faults;
  add_windows(faults);
  add_pieces(faults);
  add_positions(faults);
  add_merges(faults);
  add_threads(faults);
  add_workspaces(faults);
  add_shares(faults);
  add_insertion(faults);
  return faults;
}

}  // namespace lacuna::fuzz
