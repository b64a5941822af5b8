#pragma once

#include "lacuna/lower/nest/loop.h"

namespace lacuna {

/// Emits the loops of a merge of several cursors, which are open: one that gallops, where it is asked to; else one for
/// each point of the lattice, or a single one where these would be too much code.
void emit_merge(OpenLoop& loop, Statements& out);

/// Whether the loop is asked to gallop through an intersection, and can: all of its cursors can be searched.
bool is_galloped(const OpenLoop& loop);
/// Throws Error where it is asked to and cannot.
void check_galloping(const OpenLoop& loop);
[[noreturn]] void refuse_to_gallop(const concrete::Forall& f);

}  // namespace lacuna
