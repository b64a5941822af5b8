#include "lacuna/draw/canvas.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "lacuna/support/xml.h"

namespace lacuna::picture {
namespace {

/// Shortest with at most one decimal.
std::string number(double value) {
  const double rounded = std::round(value * 10) / 10;
  return rounded == std::round(rounded) ? fmt::format("{:.0f}", rounded) : fmt::format("{:.1f}", rounded);
}

std::string attributes(const Ink& ink) {
  std::string text = fmt::format(" fill=\"{}\"", ink.fill);
  if (ink.stroke != "none") text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", ink.stroke, number(ink.width));
  if (*ink.dashes != '\0') text += fmt::format(" stroke-dasharray=\"{}\"", ink.dashes);
  return text;
}

/// Bytes of the longest start of `word`, one character at least, that is no wider than `width`.
std::size_t fitting(std::string_view word, const Letters& letters, double width) {
  std::size_t end = 0;
  while (end < word.size()) {
    std::size_t next = end + 1;
    while (next < word.size() && (static_cast<unsigned char>(word[next]) & 0xC0U) == 0x80U) ++next;
    if (end > 0 && width_of(word.substr(0, next), letters) > width) break;
    end = next;
  }
  return end;
}

}  // namespace

double width_of(std::string_view text, const Letters& letters) {
  const auto characters = static_cast<double>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  const double each = letters.code ? 0.61 : 0.57;
  return characters * each * letters.size * (letters.bold && !letters.code ? 1.1 : 1);
}

double width_of(const std::vector<std::string>& lines, const Letters& letters) {
  double widest = 0;
  for (const std::string& line : lines) widest = std::max(widest, width_of(line, letters));
  return widest;
}

std::vector<std::string> wrapped(std::string_view text, const Letters& letters, double width) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string_view word = text.substr(at, end - at);
    at = end + 1;
    const std::string longer = lines.back().empty() ? std::string(word) : fmt::format("{} {}", lines.back(), word);
    if (width_of(longer, letters) <= width) {
      lines.back() = longer;
      continue;
    }
    while (!word.empty()) {
      if (!lines.back().empty()) lines.emplace_back();
      const std::size_t part = fitting(word, letters, width);
      lines.back() = word.substr(0, part);
      word.remove_prefix(part);
    }
  }
  return lines;
}

void Canvas::rectangle(double x, double y, double width, double height, double radius, const Ink& ink) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(x), number(y), number(width),
                       number(height));
  if (radius > 0) body_ += fmt::format(" rx=\"{}\"", number(radius));
  body_ += attributes(ink) + "/>\n";
}

void Canvas::circle(double x, double y, double radius, const Ink& ink) {
  body_ +=
      fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", number(x), number(y), number(radius), attributes(ink));
}

void Canvas::line(double x1, double y1, double x2, double y2, const Ink& ink) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", number(x1), number(y1), number(x2),
                       number(y2), attributes(ink));
}

void Canvas::arrow_head(double x, double y, bool to_right, const std::string& colour) {
  const double back = to_right ? x - 7 : x + 7;
  body_ += fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"/>\n", number(x), number(y), number(back),
                       number(y - 4), number(back), number(y + 4), colour);
}

void Canvas::arrow(double x1, double y1, double x2, double y2, bool right, const Ink& ink) {
  constexpr double head = 6;
  const double end_x = right ? x2 - head : x2, end_y = right ? y2 : y2 - head;
  const double bend = std::max(6.0, (right ? std::abs(end_x - x1) : std::abs(end_y - y1)) / 2);
  body_ +=
      fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\"{}/>\n", number(x1), number(y1), number(right ? x1 + bend : x1),
                  number(right ? y1 : y1 + bend), number(right ? end_x - bend : end_x),
                  number(right ? end_y : end_y - bend), number(end_x), number(end_y), attributes(ink));
  const double side = head / 2;
  body_ += right ? fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"/>\n", number(x2), number(y2), number(end_x),
                               number(y2 - side), number(end_x), number(y2 + side), ink.stroke)
                 : fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"/>\n", number(x2), number(y2),
                               number(x2 - side), number(end_y), number(x2 + side), number(end_y), ink.stroke);
}

void Canvas::bent_arrow(double x1, double y1, double x2, double y2, double bend, const Ink& ink) {
  const double length = std::max(1.0, std::hypot(x2 - x1, y2 - y1));
  const double control_x = (x1 + x2) / 2 + 2 * bend * (y2 - y1) / length;
  const double control_y = (y1 + y2) / 2 - 2 * bend * (x2 - x1) / length;
  // The head lies along the curve's end, which the curve stops short of.
  const double head = 5 + ink.width;
  const double end = std::max(1.0, std::hypot(x2 - control_x, y2 - control_y));
  const double along_x = (x2 - control_x) / end, along_y = (y2 - control_y) / end;
  const double back_x = x2 - head * along_x, back_y = y2 - head * along_y, side = head / 2;
  body_ += fmt::format("<path d=\"M{} {}Q{} {} {} {}\"{}/>\n", number(x1), number(y1), number(control_x),
                       number(control_y), number(back_x), number(back_y), attributes(ink));
  body_ += fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"/>\n", number(x2), number(y2),
                       number(back_x - side * along_y), number(back_y + side * along_x),
                       number(back_x + side * along_y), number(back_y - side * along_x), ink.stroke);
}

void Canvas::elbow(double x1, double y1, double x2, double y2, const Ink& ink) {
  constexpr double head = 6;
  body_ += fmt::format("<path d=\"M{} {}V{}H{}\"{}/>\n", number(x1), number(y1), number(y2), number(x2 - head),
                       attributes(ink));
  body_ += fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"{}\"/>\n", number(x2), number(y2), number(x2 - head),
                       number(y2 - head / 2), number(x2 - head), number(y2 + head / 2), ink.stroke);
}

void Canvas::polyline(const std::vector<std::pair<double, double>>& points, const Ink& ink) {
  body_ += "<polyline points=\"";
  for (const auto& [x, y] : points) body_ += fmt::format("{},{} ", number(x), number(y));
  body_ += fmt::format("\"{}/>\n", attributes(ink));
}

void Canvas::begin_group(std::string_view kind, std::string_view title) {
  body_ += fmt::format("<g class=\"{}\"><title>{}</title>\n", kind, xml_escaped(title));
}

void Canvas::end_group() { body_ += "</g>\n"; }

void Canvas::text(double x, double y, std::string_view text, const Letters& letters) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"", number(x), number(y),
                       number(letters.size), letters.colour);
  if (letters.code) body_ += " font-family=\"monospace\"";
  if (letters.bold) body_ += " font-weight=\"bold\"";
  if (letters.anchor == Letters::Anchor::Middle) body_ += " text-anchor=\"middle\"";
  if (letters.anchor == Letters::Anchor::End) body_ += " text-anchor=\"end\"";
  body_ += fmt::format(">{}</text>\n", xml_escaped(text));
}

double Canvas::text(double x, double y, const std::vector<std::string>& lines, const Letters& letters) {
  for (const std::string& line : lines) {
    text(x, y, line, letters);
    y += std::ceil(letters.size * 1.3);
  }
  return y;
}

void Canvas::strokes(double x, double y, double width, double height, std::string_view path,
                     const std::string& colour) {
  body_ += fmt::format(
      "<path transform=\"translate({:.5g},{:.5g}) scale({:.5g},{:.5g})\" shape-rendering=\"crispEdges\" "
      "d=\"{}\" stroke=\"{}\"/>\n",
      x, y + height / 2, width, height, path, colour);
}

std::string Canvas::document(double width, double height, std::string_view title) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\">\n<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{3}"
      "</svg>\n",
      number(width), number(height), xml_escaped(title), body_);
}

}  // namespace lacuna::picture
