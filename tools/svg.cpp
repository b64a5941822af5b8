#include "tools/svg.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "lacuna/support/xml.h"

namespace lacuna::tool {
namespace {

struct Grid {
  std::int64_t rows = 1, columns = 1;  // of the tensor
  int row_bins = 1, column_bins = 1;
  std::vector<std::int64_t> counts;

  static std::size_t bin(std::int64_t coordinate, std::int64_t size, int bins) {
    const double place = static_cast<double>(coordinate) / static_cast<double>(size) * bins;
    return static_cast<std::size_t>(std::clamp(place, 0.0, bins - 1.0));
  }
  std::int64_t& at(std::int64_t row, std::int64_t column) {
    return counts[bin(row, rows, row_bins) * static_cast<std::size_t>(column_bins) + bin(column, columns, column_bins)];
  }
};

Grid binned(const CoordinateList& entries, int cells) {
  Grid grid;
  const std::size_t order = entries.dimensions.size();
  if (order > 0) grid.columns = std::max<std::int64_t>(1, entries.dimensions[order > 1 ? 1 : 0]);
  if (order > 1) grid.rows = std::max<std::int64_t>(1, entries.dimensions[0]);
  const auto longest = static_cast<double>(std::max(grid.rows, grid.columns));
  const auto bins = [&](std::int64_t size) {
    const double share = static_cast<double>(size) / longest * cells;
    return static_cast<int>(
        std::clamp<double>(std::ceil(share), 1, static_cast<double>(std::min<std::int64_t>(size, cells))));
  };
  grid.row_bins = bins(grid.rows);
  grid.column_bins = bins(grid.columns);
  grid.counts.assign(static_cast<std::size_t>(grid.row_bins) * static_cast<std::size_t>(grid.column_bins), 0);
  for (std::int64_t k = 0; k < entries.size(); ++k) {
    const std::int64_t row = order > 1 ? entries.coordinates[0].integer(k) : 0;
    const std::int64_t column = order > 1    ? entries.coordinates[1].integer(k)
                                : order == 1 ? entries.coordinates[0].integer(k)
                                             : 0;
    ++grid.at(row, column);
  }
  return grid;
}

}  // namespace

std::string spy(const CoordinateList& entries, const std::string& title, int cells) {
  const Grid grid = binned(entries, cells);
  const std::int64_t most = *std::max_element(grid.counts.begin(), grid.counts.end());
  constexpr int unit = 4;
  constexpr int margin = 24;
  const int width = grid.column_bins * unit + 2 * margin;
  const int height = grid.row_bins * unit + 2 * margin;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
      "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"{3}\" y=\"16\" font-family=\"sans-serif\" font-size=\"11\">{2}</text>\n"
      "<g transform=\"translate({3},{3})\" fill=\"#1a3a6b\">\n",
      width, height, xml_escaped(title), margin);
  for (int row = 0; row < grid.row_bins; ++row) {
    for (int column = 0; column < grid.column_bins; ++column) {
      const std::int64_t count =
          grid.counts[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.column_bins) +
                      static_cast<std::size_t>(column)];
      if (count == 0) continue;
      const double shade = 0.25 + 0.75 * std::log1p(static_cast<double>(count)) / std::log1p(static_cast<double>(most));
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" opacity=\"{:.2f}\"/>\n", column * unit,
                         row * unit, unit, unit, shade);
    }
  }
  svg += fmt::format(
      "</g>\n<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{2}\" fill=\"none\" stroke=\"#888\"/>\n</svg>\n", margin,
      grid.column_bins * unit, grid.row_bins * unit);
  return svg;
}

}  // namespace lacuna::tool
