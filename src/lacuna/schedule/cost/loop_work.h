#pragma once

#include "lacuna/schedule/cost/model.h"

namespace lacuna::cost {

/// The coordinates that a loop visits, over the nest's atoms.
concrete::Formula visited(const Model& model, const Loop& loop);

/// Whether loops outside leave only stretches of positions of some tensor to a loop over this variable.
bool narrowed_by_positions(const Model& model, const IndexVar& var);

/// Books what a loop itself takes, its body left out: the bounds of its cursors, the coordinates it looks at, what its
/// variable locates. Returns its turns. `before` is where it starts, `inside` where its body is.
double book_loop(Model& model, const Loop& loop, const Place& before, const Place& inside);

}  // namespace lacuna::cost
