#pragma once

#include "lacuna/lower/nest/loop.h"

// Loops that merge nothing: other cursors than that which decides where they go follow along.
namespace lacuna {

/// The loop over every coordinate of the extent or window, or of a tile.
void emit_full(OpenLoop& loop, Statements& out);
/// The loop over what one cursor visits.
void emit_single(OpenLoop& loop, int c, Statements& out);

}  // namespace lacuna
