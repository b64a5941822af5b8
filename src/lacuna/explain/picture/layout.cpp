#include "lacuna/explain/picture/layout.h"

#include <algorithm>

#include <fmt/format.h>

#include "lacuna/explain/picture/lattice.h"
#include "lacuna/support/quantity_text.h"

namespace lacuna::picture {
namespace {

constexpr double lane_gap = 14;

int depth_of(const Step& step) {
  int deepest = 0;
  for (const Step& inner : step.steps) deepest = std::max(deepest, depth_of(inner));
  return deepest + (step.kind == Step::Kind::Loop ? 1 : 0);
}

double words_width(const Step& step, int depth) {
  const double indent = depth * word_indent;
  double width = 0;
  if (step.kind == Step::Kind::Assignment) width = indent + picture::width_of(step.text, code_letters);
  if (step.kind == Step::Kind::Loop) {
    width = indent + picture::width_of(step.text + " ", loop_letters) + picture::width_of(step.visits, visit_letters);
    double chips = indent;
    for (const std::string& m : step.manners) chips += picture::width_of(m, chip_letters) + 20;
    width = std::max(width, chips);
  }
  const int inner_depth = step.kind == Step::Kind::Loop ? depth + 1 : depth;
  for (const Step& inner : step.steps) width = std::max(width, words_width(inner, inner_depth));
  return width;
}

double widest_lattice(const Step& step) {
  double width = step.points.empty() ? 0 : lattice_width(step);
  for (const Step& inner : step.steps) width = std::max(width, widest_lattice(inner));
  return width;
}

/// The widest words beside the stops of a lane.
double stops_width(const Step& step, int lane) {
  double width = picture::width_of(stop_words(step, lane), stop_letters);
  for (const Step& inner : step.steps) width = std::max(width, stops_width(inner, lane));
  return width;
}

class Placer {
 public:
  Placer(const Explanation& e, double top) : e_(e), depth_(depth_of(e.root)) { layout_.heads = top; }

  Layout run(double least_width) {
    place_columns();
    layout_.first_row = layout_.heads + head_height + 22;
    double y = layout_.first_row;
    for (const Step& step : e_.root.steps) place(step, 0, y);
    layout_.after_rows = y;
    layout_.width = std::max(least_width, layout_.bars + 3 * bar_width + 2 * bar_gap + depth_ * inset + 14 + margin);
    for (Box& b : layout_.boxes) b.width = layout_.width - margin - b.depth * inset - b.left;
    for (const Row& row : layout_.rows)
      for (const Stop& s : row.step->stops) {
        Column& c = layout_.columns[static_cast<std::size_t>(s.lane)];
        if (c.first == 0) c.first = row.axis;
        c.last = row.axis;
      }
    return std::move(layout_);
  }

 private:
  void place_columns() {
    double x = margin + depth_ * inset + 8;
    for (std::size_t n = 0; n < e_.lanes.size(); ++n) {
      const ExplainedTensor& t = e_.tensors[static_cast<std::size_t>(e_.lanes[n].tensor)];
      double width = picture::width_of(e_.lanes[n].access, head_letters) + 16;
      for (const std::string& line : head_lines(t)) width = std::max(width, picture::width_of(line, small_letters));
      width = std::max(width, 28 + stops_width(e_.root, static_cast<int>(n)));
      layout_.columns.push_back({x, width, x + 12, 0, 0});
      x += width + lane_gap;
    }
    layout_.words = x + 6;
    layout_.lattices = layout_.words + words_width(e_.root, 0) + 22;
    layout_.lattice_width = widest_lattice(e_.root);
    layout_.bars = layout_.lattices + layout_.lattice_width + (layout_.lattice_width > 0 ? 24 : 0);
  }

  void place(const Step& step, int depth, double& y) {
    if (step.kind == Step::Kind::Assignment) {
      layout_.rows.push_back({&step, depth, y, 26, y + 13});
      y += 26;
      return;
    }
    const std::size_t box = layout_.boxes.size();
    layout_.boxes.push_back({&step, depth, margin + depth * inset, y, 0, 0});
    const double top = y;
    double height = step.manners.empty() ? 34 : 52;
    const double lattice = lattice_height(step);
    // A lattice stands beside the assignments of its loop, above a loop inside it.
    const bool innermost =
        std::none_of(step.steps.begin(), step.steps.end(), [](const Step& s) { return s.kind == Step::Kind::Loop; });
    if (!innermost) height = std::max(height, lattice);
    layout_.rows.push_back({&step, depth, y, height, y + 17});
    y += height;
    for (const Step& inner : step.steps) {
      place(inner, depth + 1, y);
      y += 4;
    }
    y = std::max(y, top + lattice) + 5;
    layout_.boxes[box].height = y - layout_.boxes[box].top;
  }

  const Explanation& e_;
  int depth_;
  Layout layout_;
};

}  // namespace

std::vector<std::string> head_lines(const ExplainedTensor& t) {
  if (t.part == Part::Scalar) return {"in a register", t.type};
  if (t.dimensions.empty()) return {"scalar", t.type};
  const std::string about = t.assumed ? "assumed " : t.expected ? "about " : "";
  const std::string entries = about + number_text(t.entries) + " entries";
  return {t.format, entries, bytes_text(t.bytes)};
}

std::string stop_words(const Step& step, int lane) {
  std::string text;
  for (const Stop& s : step.stops) {
    if (s.lane != lane || s.level < 0) continue;
    text += text.empty() ? "" : ", ";
    text += s.kind == Stop::Kind::Drained ? s.words : fmt::format("{} {}", s.level + 1, s.words);
  }
  return text;
}

Layout lay_out(const Explanation& e, double top, double least_width) { return Placer(e, top).run(least_width); }

}  // namespace lacuna::picture
