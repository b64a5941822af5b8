#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// Calls `visit` for the statements right inside a statement, producers before what reads them.
template <typename F>
void each_part(const Stmt& s, const F& visit) {
  match(
      s, [&](const Forall& f) { visit(f.body); },
      [&](const Where& w) {
        visit(w.producer);
        visit(w.consumer);
      },
      [](const Assign&) {},
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) visit(x);
      });
}

/// Calls `visit` for every assignment of a statement, producers before what reads them.
template <typename F>
void each_assign(const Stmt& s, const F& visit) {
  if (const auto* a = std::get_if<Assign>(&s->kind)) visit(*a);
  each_part(s, [&](const Stmt& x) { each_assign(x, visit); });
}

/// Calls `visit` for what a producer assigns to; what a where inside it produces is that where's own.
template <typename F>
void each_own_assign(const Stmt& s, const F& visit) {
  if (const auto* w = std::get_if<Where>(&s->kind)) return each_own_assign(w->consumer, visit);
  if (const auto* a = std::get_if<Assign>(&s->kind)) visit(*a);
  each_part(s, [&](const Stmt& x) { each_own_assign(x, visit); });
}

/// Calls `visit` for every loop of a statement, outer ones first.
template <typename F>
void each_loop(const Stmt& s, const F& visit) {
  match(
      s,
      [&](const Forall& f) {
        visit(f);
        each_loop(f.body, visit);
      },
      [&](const Where& w) {
        each_loop(w.consumer, visit);
        each_loop(w.producer, visit);
      },
      [](const Assign&) {},
      [&](const Sequence& q) {
        for (const Stmt& x : q.statements) each_loop(x, visit);
      });
}

/// Whether a statement assigns to a tensor.
inline bool assigns(const Stmt& s, const TensorVar& tensor) {
  bool found = false;
  each_assign(s, [&](const Assign& a) { found = found || a.target.tensor == tensor; });
  return found;
}

/// Whether a temporary is what a producer makes, rather than what a where inside it does.
inline bool produces(const Stmt& producer, const TensorVar& temporary) {
  bool found = false;
  each_own_assign(producer, [&](const Assign& a) { found = found || a.target.tensor == temporary; });
  return found;
}

/// Whether it assigns to a result, rather than to temporaries alone.
inline bool assigns_result(const Program& program, const Stmt& s) {
  bool found = false;
  each_assign(s, [&](const Assign& a) { found = found || program.at(a.target.tensor).role == Role::Result; });
  return found;
}

}  // namespace lacuna::concrete
