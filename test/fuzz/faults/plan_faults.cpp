#include <algorithm>

#include "fuzz/faults/faults.h"
#include "lacuna/loop/passes.h"

namespace lacuna::fuzz {
namespace {

using concrete::Program;
using concrete::Stmt;

/// Rebuilds a statement bottom-up with `change` applied to every assignment and sequence.
Stmt rewrite(const Stmt& s, const std::function<Stmt(const Stmt&)>& change) {
  return concrete::match(
      s, [&](const concrete::Forall& f) { return concrete::forall(f.var, rewrite(f.body, change), f.how); },
      [&](const concrete::Where& w) {
        return concrete::where(rewrite(w.consumer, change), rewrite(w.producer, change));
      },
      [&](const concrete::Assign&) { return change(s); },
      [&](const concrete::Sequence& q) {
        std::vector<Stmt> parts;
        for (const Stmt& part : q.statements) parts.push_back(rewrite(part, change));
        return change(concrete::sequence(std::move(parts)));
      });
}

Expr rewrite(const Expr& e, const std::function<Expr(const Expr&)>& change) {
  std::vector<Expr> below = children(e);
  for (Expr& child : below) child = rewrite(child, change);
  return change(with_children(e, below));
}

Fault in_expressions(std::string name, std::function<Expr(const Expr&)> change) {
  return in_program(std::move(name), [change](Program& p) {
    bool changed = false;
    p.root = rewrite(p.root, [&](const Stmt& s) {
      const auto* a = std::get_if<concrete::Assign>(&s->kind);
      if (a == nullptr) return s;
      const Expr now = rewrite(a->rhs, change);
      changed = changed || !equal(now, a->rhs);
      return concrete::assign(a->target, now, a->accumulate);
    });
    return changed;
  });
}

bool swap_values(Plan& plan) {
  std::vector<std::size_t> values;
  for (std::size_t k = 0; k < plan.lowered.slots.size(); ++k)
    if (plan.lowered.slots[k].field == DescriptorField::Values && plan.lowered.slots[k].argument > 0)
      values.push_back(k);
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const auto type = [&](std::size_t k) { return plan.lowered.module.parameters[values[k]].var.type(); };
      if (!(type(a) == type(b))) continue;
      std::swap(plan.lowered.slots[values[a]], plan.lowered.slots[values[b]]);
      return true;
    }
  return false;
}

bool swap_levels(Plan& plan) {
  std::vector<Slot>& slots = plan.lowered.slots;
  for (std::size_t a = 0; a < slots.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const bool alike =
          slots[a].field == slots[b].field && slots[a].argument == slots[b].argument && slots[a].argument > 0;
      const auto type = [&](std::size_t k) { return plan.lowered.module.parameters[k].var.type(); };
      if (!alike || slots[a].field != DescriptorField::Pos || !(type(a) == type(b))) continue;
      std::swap(slots[a], slots[b]);
      return true;
    }
  return false;
}

}  // namespace

Fault in_program(std::string name, std::function<bool(Program&)> change) {
  return {std::move(name), [change](Plan& plan) {
            Program program = plan.scheduled.program;
            if (!change(program)) return false;
            plan.scheduled.program = std::move(program);
            plan.lowered = lower(plan.scheduled.program, iteration::analyze(plan.scheduled.program));
            plan.lowered.module = loop::simplify(plan.lowered.module);
            return true;
          }};
}

std::vector<Fault> plan_faults() {
  std::vector<Fault> faults;
  faults.push_back({"two operands' values are swapped", swap_values});
  faults.push_back({"two levels' positions are swapped", swap_levels});
  faults.push_back({"a stream drops the zeros of sparse operands", [](Plan& plan) {
                      const bool keeps =
                          !plan.lowered.results[0].drops_zeros && !plan.lowered.results[0].flags_in_present;
                      plan.lowered.results[0].drops_zeros = true;
                      return keeps && plan.scheduled.program.result().assembly == concrete::Assembly::Stream;
                    }});
  faults.push_back({"a stream forgets which entries were stored", [](Plan& plan) {
                      const bool was = plan.lowered.results[0].flags_in_present;
                      plan.lowered.results[0].flags_in_present = false;
                      plan.lowered.results[0].drops_zeros = true;
                      return was;
                    }});
  faults.push_back({"a copy has the operand's mode order", [](Plan& plan) {
                      bool changed = false;
                      for (OperandCopy& copy : plan.scheduled.copies) {
                        if (copy.format.map().is_identity()) continue;
                        copy.format = Format(copy.format.levels());
                        changed = true;
                      }
                      return changed;
                    }});
  faults.push_back(in_program("the last statement of a sequence is lost", [](Program& p) {
    bool changed = false;
    p.root = rewrite(p.root, [&](const Stmt& s) {
      const auto* q = std::get_if<concrete::Sequence>(&s->kind);
      if (q == nullptr || q->statements.size() < 2) return s;
      changed = true;
      return concrete::sequence({q->statements.begin(), q->statements.end() - 1});
    });
    return changed;
  }));
  faults.push_back(in_program("temporaries are float32", [](Program& p) {
    bool changed = false;
    for (concrete::Tensor& t : p.tensors) {
      if (t.type != Type::Float64 || t.role == concrete::Role::Operand || t.role == concrete::Role::Result) continue;
      t.type = Type::Float32;
      changed = true;
    }
    return changed;
  }));
  faults.push_back(in_expressions("a cast is ignored", [](const Expr& e) {
    const auto* cast = as<Cast>(e);
    return cast == nullptr ? e : cast->operand;
  }));
  faults.push_back(in_expressions("an index variable counts from 1", [](const Expr& e) {
    const auto* index = as<IndexValue>(e);
    return index == nullptr ? e : make_expr(Binary{BinaryOp::Add, e, Expr(std::int64_t{1})});
  }));
  faults.push_back(in_expressions("the first two indices of an access are swapped", [](const Expr& e) {
    const auto* access = as<Access>(e);
    if (access == nullptr || access->indices.size() < 2) return e;
    Access swapped = *access;
    std::swap(swapped.indices[0], swapped.indices[1]);
    return make_expr(swapped);
  }));
  return faults;
}

}  // namespace lacuna::fuzz
