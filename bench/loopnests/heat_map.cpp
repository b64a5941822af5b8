// Ratios of speeds over two inner dimensions as a picture (SparseLNR, Figure 9).

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "bench/loopnests/report.h"
#include "lacuna/support/xml.h"

namespace lacuna::contest {
namespace {

constexpr int side = 56;
constexpr int left = 70;
constexpr int top = 60;

/// White at 1, full blue at 2 and above, full red at a half and below.
std::string color(double speed) {
  const double strength = std::clamp(std::log2(speed), -1.0, 1.0);
  const auto faded = static_cast<int>(255 - 160 * std::abs(strength));
  return strength >= 0 ? fmt::format("#{0:02x}{0:02x}ff", faded) : fmt::format("#ff{0:02x}{0:02x}", faded);
}

std::string text_at(int x, int y, const std::string& text, const char* anchor) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, xml_escaped(text));
}

}  // namespace

std::string heat_map(const std::string& title, const std::vector<Cell>& cells) {
  std::set<std::int64_t> rows, columns;
  for (const Cell& cell : cells) {
    rows.insert(cell.k);
    columns.insert(cell.l);
  }
  const auto place = [](const std::set<std::int64_t>& all, std::int64_t size) {
    return static_cast<int>(std::distance(all.begin(), all.find(size)));
  };
  std::string body = text_at(8, 20, title, "start") + text_at(left - 10, top - 8, "k \\ l", "end");
  for (const std::int64_t l : columns)
    body += text_at(left + side * place(columns, l) + side / 2, top - 8, std::to_string(l), "middle");
  for (const std::int64_t k : rows)
    body += text_at(left - 10, top + side * place(rows, k) + side / 2 + 4, std::to_string(k), "end");
  for (const Cell& cell : cells) {
    const int x = left + side * place(columns, cell.l), y = top + side * place(rows, cell.k);
    body += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y, side - 2, side - 2,
                        color(cell.speed));
    body += text_at(x + side / 2 - 1, y + side / 2 + 4, fmt::format("{:.2f}", cell.speed), "middle");
  }
  const auto width = std::max(480, left + side * static_cast<int>(columns.size()) + 20);
  const auto height = top + side * static_cast<int>(rows.size()) + 20;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{3}</svg>\n",
      width, height, xml_escaped(title), body);
}

}  // namespace lacuna::contest
