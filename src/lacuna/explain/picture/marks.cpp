#include "lacuna/explain/picture/marks.h"

#include <array>

namespace lacuna::picture {

std::string colour_of(const Explanation& e, std::size_t lane) {
  constexpr std::array<const char*, 6> colours{"#0072b2", "#d55e00", "#009e73", "#b0608c", "#3d94c7", "#b07c00"};
  const Part part = e.tensors[static_cast<std::size_t>(e.lanes[lane].tensor)].part;
  if (part == Part::Result) return "#253a52";
  if (part != Part::Operand) return "#6b7a8c";
  return colours[lane % colours.size()];
}

void draw_mark(Canvas& canvas, Stop::Kind kind, double x, double y, const std::string& colour) {
  switch (kind) {
    case Stop::Kind::Walked: canvas.circle(x, y, 6, {colour, "white", 1.5}); break;
    case Stop::Kind::Followed:
      canvas.circle(x, y, 6, {"white", colour, 2});
      canvas.circle(x, y, 2.5, {colour, "none"});
      break;
    case Stop::Kind::Located: canvas.circle(x, y, 5.5, {"white", colour, 2}); break;
    case Stop::Kind::Stored: canvas.rectangle(x - 5.5, y - 5.5, 11, 11, 2, {"white", colour, 2}); break;
    case Stop::Kind::Drained: canvas.circle(x, y, 6, {colour, "white", 1.5}); break;
    case Stop::Kind::Read: canvas.rectangle(x - 3.5, y - 3.5, 7, 7, 0, {colour, "white", 1}); break;
    case Stop::Kind::Written: canvas.rectangle(x - 5.5, y - 5.5, 11, 11, 2, {colour, "white", 1.5}); break;
  }
}

}  // namespace lacuna::picture
