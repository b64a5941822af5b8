#include "tools/scaling_picture.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "lacuna/draw/canvas.h"
#include "tools/picture_style.h"
#include "tools/simulation_report.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

using picture::Canvas;
using picture::Ink;
using picture::Letters;

constexpr double plot_width = 340, plot_height = 240, label_room = 74, legend_line = 18;
constexpr const char* faint = "#e4e4e4";

struct Curve {
  std::string name;
  const char* colour;
  const char* dashes;
  double width;  // curves that lie on each other show both
  std::function<double(const ScalingPoint&)> value;
};

/// Both axes grow by factors: processors to the right, and upwards what the curves say.
class Plot {
 public:
  Plot(const Scaling& scaling, std::vector<Curve> curves, std::string (*text)(double))
      : scaling_(scaling), curves_(std::move(curves)), text_(text) {
    for (const Curve& curve : curves_) {
      for (const ScalingPoint& p : scaling.points) {
        const double value = curve.value(p);
        if (value <= 0) continue;
        low_ = low_ > 0 ? std::min(low_, value) : value;
        high_ = std::max(high_, value);
      }
    }
    if (low_ <= 0) low_ = high_ = 1;
    low_ = std::pow(10, std::floor(std::log10(low_)));
    high_ = std::max(10 * low_, std::pow(10, std::ceil(std::log10(high_))));
  }

  static double width() { return label_room + plot_width; }
  double height() const { return 20 + plot_height + 44 + legend_line * static_cast<double>(curves_.size()); }

  void draw(Canvas& canvas, double left, double top, const std::string& title) const {
    canvas.text(left + label_room, top + 8, title, panel_letters);
    const double x = left + label_room, y = top + 20;
    draw_grid(canvas, x, y);
    for (const Curve& curve : curves_) draw_curve(canvas, curve, x, y);
    double line = y + plot_height + 44 + 10;
    for (const Curve& curve : curves_) {
      canvas.line(x, line - 4, x + 26, line - 4, Ink{"none", curve.colour, curve.width, curve.dashes});
      canvas.text(x + 34, line, curve.name, caption_letters);
      line += legend_line;
    }
  }

 private:
  double across(std::int64_t processors) const {
    const auto first = static_cast<double>(scaling_.points.front().processors);
    const double all = std::log2(static_cast<double>(scaling_.points.back().processors) / first);
    return all > 0 ? 14 + (plot_width - 28) * std::log2(static_cast<double>(processors) / first) / all : plot_width / 2;
  }
  double up(double value) const { return plot_height * (1 - std::log(value / low_) / std::log(high_ / low_)); }

  void draw_grid(Canvas& canvas, double x, double y) const {
    Letters letters = caption_letters;
    letters.anchor = Letters::Anchor::End;
    const int decades = static_cast<int>(std::lround(std::log10(high_ / low_)));
    const int every = 1 + decades / 8;
    for (int d = 0; d <= decades; d += every) {
      const double value = low_ * std::pow(10, d), at = y + up(value);
      canvas.line(x, at, x + plot_width, at, Ink{"none", faint, 1});
      canvas.text(x - 6, at + 4, text_(value), letters);
    }
    letters.anchor = Letters::Anchor::Middle;
    double last = -1e9;
    for (const ScalingPoint& p : scaling_.points) {
      const double at = x + across(p.processors);
      canvas.line(at, y, at, y + plot_height, Ink{"none", faint, 1});
      const std::string text = fmt::format("{}", p.processors);
      if (at - last < width_of(text, letters) + 8) continue;
      canvas.text(at, y + plot_height + 15, text, letters);
      last = at;
    }
    canvas.text(x + plot_width / 2, y + plot_height + 32, "processors", letters);
    canvas.rectangle(x, y, plot_width, plot_height, 0, Ink{"none", "#888", 1});
  }

  void draw_curve(Canvas& canvas, const Curve& curve, double x, double y) const {
    std::vector<std::pair<double, double>> points;
    for (const ScalingPoint& p : scaling_.points)
      if (const double value = curve.value(p); value > 0) points.emplace_back(x + across(p.processors), y + up(value));
    if (points.size() > 1) canvas.polyline(points, Ink{"none", curve.colour, curve.width, curve.dashes});
    if (*curve.dashes != '\0' || curve.width > 3) return;
    for (const auto& [px, py] : points) canvas.circle(px, py, curve.width / 2 + 2, Ink{curve.colour, "white", 1});
  }

  const Scaling& scaling_;
  std::vector<Curve> curves_;
  std::string (*text_)(double);
  double low_ = 0, high_ = 0;
};

std::string bytes_axis(double bytes) { return bytes < 1 ? fmt::format("{:g} B", bytes) : bytes_text(bytes); }

/// Of strong scaling, the first time shared by all; of weak scaling, the first time, as far as work grows as machines
/// do.
double ideal(const Scaling& scaling, const ScalingPoint& p) {
  const ScalingPoint& first = scaling.points.front();
  if (first.turns <= 0) return 0;
  return first.seconds * (p.turns / first.turns) * static_cast<double>(first.processors) /
         static_cast<double>(p.processors);
}

std::string sizes_text(const ScalingPoint& p) {
  std::string text;
  for (const auto& [variable, size] : p.sizes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", variable, size);
  return text;
}

std::string subtitle(const Scaling& scaling) {
  const std::string first = sizes_text(scaling.points.front()), last = sizes_text(scaling.points.back());
  const std::string machines =
      fmt::format("from {} to {}", scaling.points.front().machine, scaling.points.back().machine);
  if (first.empty() || first == last) return first.empty() ? machines : fmt::format("{}; {}", machines, first);
  return fmt::format("{}; from {} to {}", machines, first, last);
}

}  // namespace

std::string scaling_picture(const Scaling& scaling) {
  const auto share = [](std::int64_t bytes, const ScalingPoint& p) {
    return static_cast<double>(bytes) / static_cast<double>(p.processors);
  };
  const Plot time(scaling,
                  {{"expected time", "#b9bfc6", "", 6, [](const ScalingPoint& p) { return p.seconds; }},
                   {"computing", "#2a6fb0", "", 2, [](const ScalingPoint& p) { return p.computing; }},
                   {"moving", "#c8452d", "", 2, [](const ScalingPoint& p) { return p.moving; }},
                   {"ideal: as efficient as the first", "#222222", "3 6", 2,
                    [&](const ScalingPoint& p) { return ideal(scaling, p); }}},
                  seconds_text);
  const Plot bytes(
      scaling,
      {{"memory of the processor that holds most", "#8a5fb3", "", 2,
        [](const ScalingPoint& p) { return static_cast<double>(p.memory); }},
       {"moved, per processor", "#c8452d", "", 2, [&](const ScalingPoint& p) { return share(p.bytes, p); }}},
      bytes_axis);
  const std::string title = fmt::format("{}: {} scaling", scaling.statement, scaling.weak ? "weak" : "strong");
  const std::string below = subtitle(scaling);
  const double width = picture_margin + 2 * Plot::width() + 20 + picture_margin;
  const std::vector<std::string> below_lines = picture::wrapped(below, caption_letters, width - 2 * picture_margin);
  Canvas canvas;
  double y = canvas.text(picture_margin, 26, picture::wrapped(title, title_letters, width - 2 * picture_margin),
                         title_letters);
  y = canvas.text(picture_margin, y, below_lines, caption_letters) + 4;
  time.draw(canvas, picture_margin - 10, y, "time");
  bytes.draw(canvas, picture_margin - 10 + Plot::width() + 20, y, "bytes");
  return canvas.document(width, y + std::max(time.height(), bytes.height()) + picture_margin, title);
}

}  // namespace lacuna::tool
