#pragma once

#include "lacuna/explain/picture/layout.h"

namespace lacuna::picture {

/// Says what the signs of a picture mean, those that it has. Returns where it ends.
double draw_legend(Canvas& canvas, const Layout& layout, double y);

/// Writes why things were chosen, and the notes, in lines that end before `width`. Returns where they end.
double draw_reasons(Canvas& canvas, const Explanation& e, double width, double y);

}  // namespace lacuna::picture
