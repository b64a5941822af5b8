#pragma once

#include "lacuna/dynamic/kernels/update.h"

namespace lacuna {

/// The kernel that says what a tensor holds at some coordinates; the request's operation is Find. Argument 0 is the
/// tensor, argument 1 the batch: coordinates by level in `crd`, `positions` of them at level 0. Where an entry is
/// stored, its value goes to `vals` and 1 to `present` of level 0; nothing else is written.
///
/// Throws Error where a level's file has no `find`.
Lowered lower_lookup(const UpdateRequest& request);

}  // namespace lacuna
