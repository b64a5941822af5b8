#pragma once

#include "lacuna/lower/levels/level.h"

// Coordinates along a cursor, of a level or of a workspace whose entries are listed.
namespace lacuna {

/// The coordinate at a cursor position, Int64. Only of levels that are walked.
loop::Expr coordinate_at(Context& context, const LevelAt& at, const loop::Expr& position);
/// The first of the cursor positions [low, high) whose coordinate is not before a given one. `near`: it is likely to be
/// close to low.
loop::Expr first_position(Context& context, const LevelAt& at, const loop::Expr& low, const loop::Expr& high,
                          const loop::Expr& coordinate, const Scope& scope, bool near = false);

}  // namespace lacuna
