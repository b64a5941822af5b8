#pragma once

#include "lacuna/concrete/walk.h"

namespace lacuna {

/// Whether the entries assigned to a tensor are structural (semantics.md, "Absence"): all, none, or it depends on the
/// coordinate.
enum class Structure : std::uint8_t { Never, Mixed, Always };

/// Over every assignment to `target` in the program, temporaries looked through.
Structure structure_of(const concrete::Program& program, const TensorVar& target);

/// The single access of the result on the left (every assignment to it uses the same indices).
Access result_access(const concrete::Program& program);

/// Calls `visit` for what a producer assigns to; what a where inside it produces is that where's own.
template <typename F>
void each_own_assign(const concrete::Stmt& s, const F& visit) {
  concrete::match(
      s, [&](const concrete::Forall& f) { each_own_assign(f.body, visit); },
      [&](const concrete::Where& w) { each_own_assign(w.consumer, visit); },
      [&](const concrete::Assign& a) { visit(a); },
      [&](const concrete::Sequence& q) {
        for (const concrete::Stmt& x : q.statements) each_own_assign(x, visit);
      });
}

}  // namespace lacuna
