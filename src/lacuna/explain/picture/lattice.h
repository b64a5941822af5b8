#pragma once

#include "lacuna/draw/canvas.h"
#include "lacuna/explain/explanation.h"

namespace lacuna::picture {

/// What the lattice of a merging loop takes; nothing where a step has none.
double lattice_width(const Step& step);
double lattice_height(const Step& step);

/// Draws the lattice, centred between `x` and `x + width`: each point in the first row below all points above it, with
/// a line to those directly below.
void draw_lattice(Canvas& canvas, const Step& step, double x, double top, double width);

/// One point of a lattice.
void draw_point(Canvas& canvas, const std::vector<std::string>& names, double x, double y, double width);

}  // namespace lacuna::picture
