#pragma once

#include "lacuna/draw/canvas.h"
#include "lacuna/explain/explanation.h"

namespace lacuna::picture {

/// The colour of a lane. Those of operands are ones that people with colour blindness tell apart (Okabe and Ito);
/// temporaries are grey, the result is dark.
std::string colour_of(const Explanation& e, std::size_t lane);

/// The sign at which a lane stops.
void draw_mark(Canvas& canvas, Stop::Kind kind, double x, double y, const std::string& colour);

}  // namespace lacuna::picture
