// A kernel's outcomes as a picture: for each input and number of threads, a bar for everyone's speed.

#include <algorithm>

#include <fmt/format.h>

#include "bench/kernels/report.h"
#include "lacuna/support/xml.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

constexpr int bar_height = 14;
constexpr int gap = 12;
constexpr int label_width = 150;
constexpr int bar_width = 360;
constexpr int text_width = 190;

std::string text_at(int x, int y, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y, more, xml_escaped(text));
}

std::string bars(const Outcome& outcome, int& y) {
  std::string svg = text_at(
      8, y + 11, fmt::format("{}, {} thread{}", outcome.input, outcome.threads, outcome.threads == 1 ? "" : "s"),
      " font-weight=\"bold\"");
  y += bar_height + 4;
  double shortest = 0;
  for (const Timing& t : outcome.timings) shortest = shortest == 0 ? t.median : std::min(shortest, t.median);
  for (const Timing& t : outcome.timings) {
    const bool ours = t.name.starts_with("Lacuna");
    const double width = bar_width * shortest / t.median;
    svg += text_at(label_width - 6, y + 11, t.name, " text-anchor=\"end\"");
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n", label_width, y, width,
                       bar_height - 2, ours ? "#1a3a6b" : "#9aa7b8");
    svg += text_at(label_width + static_cast<int>(width) + 6, y + 11, tool::time_text(t.median));
    y += bar_height;
  }
  if (!outcome.fastest.empty()) {
    svg += text_at(label_width, y + 11,
                   fmt::format("{:.2f} [{:.2f}, {:.2f}] times as fast as {}", outcome.speed.value, outcome.speed.low,
                               outcome.speed.high, outcome.fastest),
                   " fill=\"#555\"");
    y += bar_height;
  }
  y += gap;
  return svg;
}

}  // namespace

std::string chart(const KernelReport& report) {
  std::string body =
      text_at(8, 18, fmt::format("{}: {}", report.kernel.name, report.kernel.statement), " font-size=\"13\"");
  body += text_at(8, 34, "longer is faster; brackets: 95 % interval", " fill=\"#555\"");
  int y = 46;
  for (const Outcome& outcome : report.outcomes) body += bars(outcome, y);
  const int width = label_width + bar_width + text_width;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{3}</svg>\n",
      width, y, xml_escaped(report.kernel.name), body);
}

}  // namespace lacuna::contest
