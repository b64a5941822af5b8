#include "lacuna/explain/picture/lattice.h"

#include <algorithm>

#include <fmt/format.h>

namespace lacuna::picture {
namespace {

using LatticePoint = std::vector<std::string>;

constexpr double row_height = 24, outline_height = 16, point_gap = 10, padding = 8;
constexpr Letters point_letters{10.5, "#1b2733", false, true};

/// Whether all of one point is in another, larger one.
bool lies_below(const LatticePoint& lower, const LatticePoint& upper) {
  return upper.size() > lower.size() && std::all_of(lower.begin(), lower.end(), [&](const std::string& n) {
           return std::find(upper.begin(), upper.end(), n) != upper.end();
         });
}

std::vector<std::vector<const LatticePoint*>> lattice_rows(const Step& step) {
  std::vector<std::vector<const LatticePoint*>> rows;
  for (const LatticePoint& point : step.points) {  // larger ones come first
    std::size_t rank = 0;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (const LatticePoint* above : rows[r])
        if (lies_below(point, *above)) rank = r + 1;
    if (rank == rows.size()) rows.emplace_back();
    rows[rank].push_back(&point);
  }
  return rows;
}

std::string point_words(const LatticePoint& point) { return fmt::format("{}", fmt::join(point, " ")); }

double point_width(const LatticePoint& point) { return width_of(point_words(point), point_letters) + 16; }

double row_width(const std::vector<const LatticePoint*>& row) {
  double width = -point_gap;
  for (const LatticePoint* point : row) width += point_width(*point) + point_gap;
  return width;
}

/// A point in its place.
struct Placed {
  double x = 0, y = 0, width = 0;
  const LatticePoint* names = nullptr;
};

/// Whether one point lies directly above another.
bool covers(const std::vector<Placed>& points, const Placed& upper, const Placed& lower) {
  return lies_below(*lower.names, *upper.names) &&
         std::none_of(points.begin(), points.end(), [&](const Placed& between) {
           return lies_below(*between.names, *upper.names) && lies_below(*lower.names, *between.names);
         });
}

}  // namespace

double lattice_width(const Step& step) {
  double widest = 0;
  for (const auto& row : lattice_rows(step)) widest = std::max(widest, row_width(row));
  return widest;
}

double lattice_height(const Step& step) {
  return step.points.empty() ? 0 : static_cast<double>(lattice_rows(step).size()) * row_height + padding;
}

void draw_lattice(Canvas& canvas, const Step& step, double x, double top, double width) {
  std::vector<Placed> points;
  double y = top + padding;
  for (const auto& row : lattice_rows(step)) {
    double left = x + (width - row_width(row)) / 2;
    for (const LatticePoint* names : row) {
      points.push_back({left, y, point_width(*names), names});
      left += points.back().width + point_gap;
    }
    y += row_height;
  }
  for (const Placed& upper : points)
    for (const Placed& lower : points)
      if (covers(points, upper, lower))
        canvas.line(upper.x + upper.width / 2, upper.y + outline_height, lower.x + lower.width / 2, lower.y,
                    {"none", "#8595a8", 1});
  for (const Placed& p : points) draw_point(canvas, *p.names, p.x, p.y, p.width);
}

void draw_point(Canvas& canvas, const std::vector<std::string>& names, double x, double y, double width) {
  Letters middle = point_letters;
  middle.anchor = Letters::Anchor::Middle;
  canvas.rectangle(x, y, width, outline_height, 8, {"white", "#6b86a6", 1.2});
  canvas.text(x + width / 2, y + 11.7, point_words(names), middle);
}

}  // namespace lacuna::picture
