#pragma once

#include "lacuna/lower/context/context.h"
#include "lacuna/lower/levels/level.h"

namespace lacuna {

/// Asks for what the loop will read some turns later: the entry, or the row of dense levels, of each operand that the
/// coordinate under the cursor leads to. Throws Error where it leads to none. `scope` is that of the loop, its variable
/// not bound.
void prefetch_ahead(Context& context, const concrete::Forall& f, const LevelAt& at, const loop::Var& position,
                    const Scope& scope, Statements& out);

/// Throws Error: the loop cannot tell where it goes.
[[noreturn]] void refuse_to_prefetch(const concrete::Forall& f);

}  // namespace lacuna
