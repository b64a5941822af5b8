#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna::picture {

/// How a line of text looks.
struct Letters {
  double size = 12;
  const char* colour = "#222";
  bool bold = false;
  bool code = false;  // in a font of fixed width
  enum class Anchor { Start, Middle, End } anchor = Anchor::Start;
};

/// How wide a text may get in the fonts that browsers choose; no less than in common ones.
double width_of(std::string_view text, const Letters& letters);
/// The width of the longest of several lines; 0 of none.
double width_of(const std::vector<std::string>& lines, const Letters& letters);

/// Lines no wider than `width`: broken at blanks, and inside words that are wider than a line. At least one line.
std::vector<std::string> wrapped(std::string_view text, const Letters& letters, double width);

/// How a shape is filled and outlined.
struct Ink {
  std::string fill = "none";
  std::string stroke = "none";
  double width = 1;
  const char* dashes = "";
};

/// An SVG document that needs nothing from outside: no fonts, scripts or links.
class Canvas {
 public:
  void rectangle(double x, double y, double width, double height, double radius, const Ink& ink);
  void circle(double x, double y, double radius, const Ink& ink);
  void line(double x1, double y1, double x2, double y2, const Ink& ink);
  /// A filled triangle whose tip is at (x, y), pointing right or left.
  void arrow_head(double x, double y, bool to_right, const std::string& colour);
  /// A curve that leaves and arrives downwards or, where `right`, to the right, with a head at (x2, y2).
  void arrow(double x1, double y1, double x2, double y2, bool right, const Ink& ink);
  /// A curve that passes `bend` beside the middle of the way, to the left as one goes, with a head at (x2, y2).
  void bent_arrow(double x1, double y1, double x2, double y2, double bend, const Ink& ink);
  /// A line down from (x1, y1), then to the right, with a head at (x2, y2).
  void elbow(double x1, double y1, double x2, double y2, const Ink& ink);
  /// Straight lines from point to point.
  void polyline(const std::vector<std::pair<double, double>>& points, const Ink& ink);
  /// What is drawn up to `end_group` belongs together, as viewers show who point at it. Not nested.
  void begin_group(std::string_view kind, std::string_view title);
  void end_group();
  void text(double x, double y, std::string_view text, const Letters& letters);
  /// Several lines, the first at y; returns where a line after them would stand.
  double text(double x, double y, const std::vector<std::string>& lines, const Letters& letters);
  /// Horizontal strokes in SVG's path notation, one unit high, below their place. The path's origin is at (x, y), its
  /// units are `width` and `height`. Edges are sharp: nothing shows between strokes side by side.
  void strokes(double x, double y, double width, double height, std::string_view path, const std::string& colour);
  std::string document(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace lacuna::picture
