#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "lacuna/explain/picture/below.h"
#include "lacuna/explain/picture/lattice.h"
#include "lacuna/explain/picture/layout.h"
#include "lacuna/explain/picture/marks.h"
#include "lacuna/support/quantity_text.h"

namespace lacuna {
namespace {

using namespace picture;

constexpr double least_width = 760;
constexpr Letters title_letters{17, "#10243c", true, true};

class Drawer {
 public:
  explicit Drawer(const Explanation& e) : e_(e) {}

  std::string run() {
    const double below_title = title(lay_out(e_, 0, least_width).width);
    layout_ = lay_out(e_, below_title + 18, least_width);
    for (const Box& b : layout_.boxes) box(b);
    bar_titles();
    for (std::size_t n = 0; n < e_.lanes.size(); ++n) lane(n);
    for (const Row& r : layout_.rows) row(r);
    double y = totals(layout_.after_rows + 8);
    y = draw_legend(canvas_, layout_, y + 26);
    y = draw_reasons(canvas_, e_, layout_.width, y + 20);
    return canvas_.document(layout_.width, y + 6, e_.statement);
  }

 private:
  // ---- around the loops

  /// In a picture of this width; returns where its last line stands.
  double title(double page) {
    const double below =
        canvas_.text(margin, 36, wrapped(e_.statement, title_letters, page - 2 * margin), title_letters) - 1;
    const std::string summary =
        fmt::format("{} operations · {} to move at least · {:.3g} operations a byte", number_text(e_.total.operations),
                    bytes_text(e_.compulsory_bytes), e_.intensity()) +
        (e_.expected ? " · expected of entries spread evenly" : "");
    canvas_.text(margin, below, summary, {12.5, "#33475e"});
    if (e_.directives.empty()) return below;
    double y = below + 20, x = margin;
    const Letters words{11, "#5c6b7d"}, code{11, "#33475e", false, true};
    const std::string label = e_.chosen ? "chosen schedule" : "given schedule";
    canvas_.text(x, y, label, words);
    const double start = x + width_of(label, words) + 10;
    x = start;
    for (const std::string& d : e_.directives) {
      const double width = width_of(d, code);
      if (x > start && x + width > page - margin) {
        x = start;
        y += 16;
      }
      canvas_.text(x, y, d, code);
      x += width + 14;
    }
    return y;
  }

  void box(const Box& b) {
    constexpr std::array<const char*, 6> fills{"#f3f7fc", "#e8f0f8", "#dce8f4", "#d0e0f0", "#c5d8ec", "#bad0e8"};
    canvas_.rectangle(b.left, b.top, b.width, b.height, 7,
                      {fills[std::min<std::size_t>(static_cast<std::size_t>(b.depth), fills.size() - 1)], "#a9bcd2"});
    if (!b.step->manners.empty()) canvas_.rectangle(b.left, b.top + 7, 3.5, b.height - 14, 0, {"#e0952b", "none"});
  }

  void lane(std::size_t n) {
    const Column& c = layout_.columns[n];
    const ExplainedTensor& t = e_.tensors[static_cast<std::size_t>(e_.lanes[n].tensor)];
    const std::string colour = colour_of(e_, n);
    const double head = layout_.heads;
    if (c.last > 0) {
      const bool temporary = t.part == Part::Scalar || t.part == Part::Workspace;
      canvas_.line(c.line, head + head_height + 4, c.line, c.last, {"none", colour, 2.5, temporary ? "5 3" : ""});
    }
    const double pill = width_of(e_.lanes[n].access, head_letters) + 16;
    canvas_.rectangle(c.left, head, pill, 20, 10, {colour, "none"});
    canvas_.text(c.left + 8, head + 14, e_.lanes[n].access, head_letters);
    double y = head + 33;
    for (const std::string& line : head_lines(t)) {
      canvas_.text(c.left, y, line, small_letters);
      y += 12.5;
    }
  }

  // ---- the rows

  void row(const Row& r) {
    if (r.step->kind == Step::Kind::Assignment) return assignment(r);
    const double x = layout_.words + r.depth * word_indent;
    canvas_.text(x, r.axis + 4, r.step->text, loop_letters);
    canvas_.text(x + width_of(r.step->text + " ", loop_letters), r.axis + 4, r.step->visits, visit_letters);
    double chip = x;
    for (const std::string& m : r.step->manners) {
      const double width = width_of(m, chip_letters) + 12;
      canvas_.rectangle(chip, r.axis + 12, width, 16, 8, {"#fdf1dd", "#e0b36a"});
      canvas_.text(chip + 6, r.axis + 23.5, m, chip_letters);
      chip += width + 8;
    }
    for (std::size_t n = 0; n < e_.lanes.size(); ++n) stops(*r.step, static_cast<int>(n), r.axis);
    draw_lattice(canvas_, *r.step, layout_.lattices, r.top, lattice_width(*r.step));
    bars(r.step->cost.turns, r.step->cost.own, r.top);
  }

  /// One mark for all the levels of a lane that the loop binds: that of the first, which is walked if any is.
  void stops(const Step& step, int lane, double y) {
    const auto first =
        std::find_if(step.stops.begin(), step.stops.end(), [&](const Stop& s) { return s.lane == lane; });
    if (first == step.stops.end()) return;
    const double x = layout_.columns[static_cast<std::size_t>(lane)].line;
    draw_mark(canvas_, first->kind, x, y, colour_of(e_, static_cast<std::size_t>(lane)));
    canvas_.text(x + 11, y + 3.5, stop_words(step, lane), stop_letters);
  }

  /// What is read flows along the row into what is written.
  void assignment(const Row& r) {
    const auto x_of = [&](const Stop& s) { return layout_.columns[static_cast<std::size_t>(s.lane)].line; };
    const Stop& target = r.step->stops.back();
    double left = x_of(target), right = left;
    for (const Stop& s : r.step->stops) {
      left = std::min(left, x_of(s));
      right = std::max(right, x_of(s));
    }
    const Ink wire{"none", "#8595a8", 1.3};
    if (left < x_of(target)) {
      canvas_.line(left, r.axis, x_of(target) - 8, r.axis, wire);
      canvas_.arrow_head(x_of(target) - 6, r.axis, true, "#8595a8");
    }
    if (right > x_of(target)) {
      canvas_.line(right, r.axis, x_of(target) + 8, r.axis, wire);
      canvas_.arrow_head(x_of(target) + 6, r.axis, false, "#8595a8");
    }
    for (const Stop& s : r.step->stops)
      draw_mark(canvas_, s.kind, x_of(s), r.axis, colour_of(e_, static_cast<std::size_t>(s.lane)));
    canvas_.text(layout_.words + r.depth * word_indent, r.axis + 4, r.step->text, code_letters);
  }

  // ---- costs

  double bar_x(int column) const { return layout_.bars + column * (bar_width + bar_gap); }

  void bar_titles() {
    constexpr std::array<const char*, 3> titles{"iterations", "operations", "read, written"};
    for (int c = 0; c < 3; ++c)
      canvas_.text(bar_x(c), layout_.first_row - 8, titles[static_cast<std::size_t>(c)], small_letters);
  }

  double most_turns(const Step& step) const {
    double most = step.cost.turns;
    for (const Step& inner : step.steps) most = std::max(most, most_turns(inner));
    return most;
  }

  void bar(int column, double top, const std::string& text, double share, const char* colour, double second = 0) {
    const double x = bar_x(column);
    canvas_.text(x, top + 15, text, {10.5, "#1b2733"});
    canvas_.rectangle(x, top + 20, bar_width, 6, 3, {"white", "#b9c8d9", 0.8});
    if (share > 0) canvas_.rectangle(x, top + 20, std::max(1.5, share * bar_width), 6, 3, {colour, "none"});
    if (second > 0)
      canvas_.rectangle(x + share * bar_width, top + 20, std::max(1.5, second * bar_width), 6, 3, {"#e0952b", "none"});
  }

  void bars(double turns, const Work& own, double top) {
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    bar(0, top, number_text(turns), share(turns, most_turns(e_.root)), "#7f96b2");
    bar(1, top, own.operations > 0 ? number_text(own.operations) : "–", share(own.operations, e_.total.operations),
        "#1f4e8c");
    const double moved = e_.total.bytes_read + e_.total.bytes_written;
    bar(2, top, moved_text(own), share(own.bytes_read, moved), "#2a8f7a", share(own.bytes_written, moved));
  }

  static std::string moved_text(const Work& own) {
    if (own.bytes_read + own.bytes_written == 0) return "–";
    return fmt::format("{}, {}", own.bytes_read > 0 ? bytes_text(own.bytes_read) : "–",
                       own.bytes_written > 0 ? bytes_text(own.bytes_written) : "–");
  }

  double totals(double y) {
    const Work& outside = e_.root.cost.own;
    const auto line = [&](const std::string& words, const Work& work, bool bold) {
      const Letters letters{11.5, "#33475e", bold};
      canvas_.text(layout_.words, y + 12, words, letters);
      canvas_.text(bar_x(1), y + 12, work.operations > 0 ? number_text(work.operations) : "–", {10.5, "#1b2733", bold});
      canvas_.text(bar_x(2), y + 12, moved_text(work), {10.5, "#1b2733", bold});
      y += 18;
    };
    if (outside.bytes_read + outside.bytes_written > 0) line("before and after the loops", outside, false);
    line("in all", e_.total, true);
    return y;
  }

  const Explanation& e_;
  Canvas canvas_;
  Layout layout_;
};

}  // namespace

std::string to_svg(const Explanation& e) { return Drawer(e).run(); }

}  // namespace lacuna
