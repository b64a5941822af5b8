#pragma once

#include <map>

#include "lacuna/concrete/program.h"
#include "lacuna/concrete/sparsity.h"

namespace lacuna::concrete {

// The absence rules of semantics.md, written once. `Truth` says where something may be present: a Formula, or a
// condition in a kernel. It has always(), never(), & and |.

/// Where an expression may be present, given where its accesses may.
template <typename Truth, typename OfAccess>
Truth presence_of(const Expr& e, const OfAccess& of_access) {
  const auto go = [&](const Expr& x) { return presence_of<Truth>(x, of_access); };
  return match(
      e, [&](const Access& a) -> Truth { return of_access(a); }, [](const Literal&) { return Truth::always(); },
      [](const IndexValue&) { return Truth::always(); }, [&](const Negate& n) { return go(n.operand); },
      [&](const Cast& c) { return go(c.operand); }, [&](const Sum& s) { return go(s.body); },
      [&](const Binary& b) {
        switch (b.op) {
          case BinaryOp::Mul: return go(b.left) & go(b.right);
          case BinaryOp::Div: return go(b.left);
          case BinaryOp::Add:
          case BinaryOp::Sub: break;
        }
        return go(b.left) | go(b.right);
      },
      [&](const Call& c) {
        const AbsenceRule rule = absence_rule(c);
        if (rule == AbsenceRule::NeverAbsent) return Truth::always();
        Truth all = go(c.arguments[0]);
        if (rule == AbsenceRule::FirstAnnihilates) return all;
        for (std::size_t k = 1; k < c.arguments.size(); ++k) {
          const Truth next = go(c.arguments[k]);
          all = rule == AbsenceRule::AnyAnnihilates ? (all & next) : (all | next);
        }
        return all;
      });
}

/// Where a statement may do something. Temporaries that it makes are present where what they are computed from is;
/// `made` collects them.
template <typename Truth, typename OfAccess>
Truth presence_of(const Stmt& s, const OfAccess& of_access, std::map<TensorVar, Truth>& made) {
  const auto go = [&](const Stmt& x) { return presence_of<Truth>(x, of_access, made); };
  return match(
      s, [&](const Forall& f) { return go(f.body); },
      [&](const Where& w) {
        go(w.producer);
        return go(w.consumer);
      },
      [&](const Assign& a) {
        const Truth present = presence_of<Truth>(a.rhs, [&](const Access& x) {
          const auto known = made.find(x.tensor);
          return known != made.end() ? known->second : of_access(x);
        });
        const auto [target, fresh] = made.emplace(a.target.tensor, present);
        if (!fresh) target->second = target->second | present;
        return present;
      },
      [&](const Sequence& q) {
        Truth any = Truth::never();
        for (const Stmt& x : q.statements) any = any | go(x);
        return any;
      });
}

template <typename Truth, typename OfAccess>
Truth presence_of(const Stmt& s, const OfAccess& of_access) {
  std::map<TensorVar, Truth> made;
  return presence_of<Truth>(s, of_access, made);
}

}  // namespace lacuna::concrete
