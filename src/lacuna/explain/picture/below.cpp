#include "lacuna/explain/picture/below.h"

#include <algorithm>
#include <array>

#include "lacuna/explain/picture/lattice.h"
#include "lacuna/explain/picture/marks.h"

namespace lacuna::picture {
namespace {

constexpr Letters about_letters{11.5, "#10243c", true};
constexpr Letters why_letters{11.5, "#33475e"};

struct Sign {
  Stop::Kind kind;
  const char* words;
};

bool is_drawn(const Layout& layout, Stop::Kind kind) {
  return std::any_of(layout.rows.begin(), layout.rows.end(), [&](const Row& r) {
    return std::any_of(r.step->stops.begin(), r.step->stops.end(), [&](const Stop& s) { return s.kind == kind; });
  });
}

/// A sentence in lines that end before `right`; returns the place of the next one.
double draw_sentence(Canvas& canvas, const std::string& text, double x, double right, double y) {
  return canvas.text(x, y, wrapped(text, why_letters, right - x), why_letters) + 3;
}

/// Beside a point of a lattice; returns the place of the next line.
double draw_lattice_legend(Canvas& canvas, const Layout& layout, double y) {
  const double x = margin, width = 50;
  draw_point(canvas, {"A1", "B1"}, x, y - 4, width);
  const std::string text =
      "merge lattice: each point is a loop that visits these levels together (A1: level 1 of A); a line leads to the "
      "loop that continues when one of them ends";
  const double left = x + width + 10;
  for (const std::string& line : wrapped(text, small_letters, layout.width - margin - left)) {
    canvas.text(left, y + 7.5, line, small_letters);
    y += 14;
  }
  return y + 10;
}

}  // namespace

double draw_legend(Canvas& canvas, const Layout& layout, double y) {
  constexpr std::array<Sign, 6> signs{{{Stop::Kind::Walked, "walked: decides which coordinates are visited"},
                                       {Stop::Kind::Followed, "walked alongside"},
                                       {Stop::Kind::Located, "located at a known coordinate"},
                                       {Stop::Kind::Stored, "level of the result"},
                                       {Stop::Kind::Read, "value read"},
                                       {Stop::Kind::Written, "value written"}}};
  const double start = margin + 6;
  double x = start;
  for (const Sign& sign : signs) {
    if (!is_drawn(layout, sign.kind)) continue;
    const double width = width_of(sign.words, small_letters) + 34;
    if (x > start && x + width > layout.width - margin) {
      x = start;
      y += 18;
    }
    draw_mark(canvas, sign.kind, x, y, "#5c6b7d");
    canvas.text(x + 12, y + 3.5, sign.words, small_letters);
    x += width;
  }
  const bool lattices =
      std::any_of(layout.rows.begin(), layout.rows.end(), [](const Row& row) { return !row.step->points.empty(); });
  return lattices ? draw_lattice_legend(canvas, layout, y + 18) : y + 8;
}

double draw_reasons(Canvas& canvas, const Explanation& e, double width, double y) {
  const double right = width - margin;
  double column = 0;
  for (const Reason& r : e.reasons) column = std::max(column, width_of(r.about, about_letters));
  y += 8;
  for (const Reason& r : e.reasons) {
    canvas.text(margin, y, r.about, about_letters);
    y = draw_sentence(canvas, r.why, margin + column + 16, right, y);
  }
  for (const std::string& note : e.notes) y = draw_sentence(canvas, "Note: " + note, margin, right, y);
  if (e.assumed) y = draw_sentence(canvas, "Note: entries that no -i gives are assumed, 8 a row", margin, right, y);
  return y;
}

}  // namespace lacuna::picture
