#include "lacuna/draw/spy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "lacuna/draw/bin.h"
#include "lacuna/draw/canvas.h"

namespace lacuna {
namespace {

using namespace picture;

constexpr double page = 900, margin = 24;
constexpr double axis_width = 58, axis_height = 40;  // for the numbers and names left of a plot and above it
constexpr double only_plot = 620, one_of_several = 350;
constexpr double thinnest = 10;  // plot of a vector, or of a matrix with few rows
constexpr const char* outline = "#888";
constexpr Letters title_letters{15, "#10243c", true}, caption_letters{11, "#5c6b7d"}, axis_letters{11, "#33475e"};
constexpr Letters tick_letters{9.5, "#5c6b7d"};
constexpr std::array<const char*, 6> shades{"#b7c9e2", "#8fabd2", "#668dc0", "#4271ac", "#275591", "#12335f"};

/// One side of a plot.
struct Axis {
  int mode = -1;  // of the tensor; -1: a plot of a vector has one row
  std::int64_t size = 1;
  int bins = 1;
  double length = 0;  // in the picture

  int bin(const CoordinateList& entries, std::int64_t entry) const {
    if (mode < 0) return 0;
    return static_cast<int>(bin_of(entries.coordinates[static_cast<std::size_t>(mode)].integer(entry), size, bins));
  }
};

struct Plot {
  Axis rows, columns;
  std::vector<std::int64_t> counts;  // of entries, row by row

  std::int64_t at(int row, int column) const {
    return counts[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.bins) +
                  static_cast<std::size_t>(column)];
  }
};

Axis axis_of(const CoordinateList& entries, int mode) {
  Axis axis;
  axis.mode = mode;
  if (mode >= 0) axis.size = std::max<std::int64_t>(1, entries.dimensions[static_cast<std::size_t>(mode)]);
  return axis;
}

Plot plot_of(const CoordinateList& entries, int row_mode, int column_mode, double longest) {
  Plot plot{axis_of(entries, row_mode), axis_of(entries, column_mode), {}};
  const auto most = static_cast<double>(std::max(plot.rows.size, plot.columns.size));
  for (Axis* axis : {&plot.rows, &plot.columns}) {
    axis->length = std::max(thinnest, std::round(longest * static_cast<double>(axis->size) / most));
    axis->bins = static_cast<int>(std::min<std::int64_t>(axis->size, static_cast<std::int64_t>(axis->length)));
  }
  plot.counts.assign(static_cast<std::size_t>(plot.rows.bins) * static_cast<std::size_t>(plot.columns.bins), 0);
  for (std::int64_t entry = 0; entry < entries.size(); ++entry)
    ++plot.counts[static_cast<std::size_t>(plot.rows.bin(entries, entry)) *
                      static_cast<std::size_t>(plot.columns.bins) +
                  static_cast<std::size_t>(plot.columns.bin(entries, entry))];
  return plot;
}

std::vector<Plot> plots_of(const CoordinateList& entries) {
  const int order = static_cast<int>(entries.dimensions.size());
  if (order <= 2) return {plot_of(entries, order - 2 < 0 ? -1 : 0, order - 1, only_plot)};
  std::vector<Plot> plots;
  for (int mode = 0; mode + 1 < order; ++mode) plots.push_back(plot_of(entries, mode, mode + 1, one_of_several));
  plots.push_back(plot_of(entries, 0, order - 1, one_of_several));
  return plots;
}

/// 1, 2 or 5 times a power of 10, so that at most `most` steps reach `size`.
std::int64_t step_of(std::int64_t size, std::int64_t most) {
  for (std::int64_t power = 1;; power *= 10)
    for (const std::int64_t factor : {1, 2, 5})
      if (size / (factor * power) < most || power > size) return factor * power;
}

class SpyPainter {
 public:
  SpyPainter(const CoordinateList& entries, const std::string& title)
      : order_(static_cast<int>(entries.dimensions.size())), plots_(plots_of(entries)), title_(title) {
    for (const Plot& plot : plots_) most_ = std::max(most_, *std::max_element(plot.counts.begin(), plot.counts.end()));
  }

  std::string run() {
    const std::vector<std::string> lines = wrapped(title_, title_letters, page - 2 * margin);
    reach(margin + width_of(lines, title_letters));
    double y = canvas_.text(margin, 30, lines, title_letters), x = margin, bottom = y;
    for (const Plot& plot : plots_) {
      if (x > margin && x + axis_width + plot.columns.length > page) {
        x = margin;
        y = bottom + margin;
      }
      draw(plot, x + axis_width, y + axis_height);
      bottom = std::max(bottom, y + axis_height + plot.rows.length);
      x += axis_width + plot.columns.length + margin;
    }
    const double end = legend(bottom + margin);
    return canvas_.document(std::ceil(right_ + margin), std::ceil(end), title_);
  }

 private:
  void reach(double x) { right_ = std::max(right_, x); }

  std::size_t shade_of(std::int64_t count) const {
    if (most_ <= 1) return shades.size() - 1;
    const double share = std::log(static_cast<double>(count)) / std::log(static_cast<double>(most_));
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(shades.size() - 1)));
  }

  std::string mode_name(const Axis& axis) const {
    if (order_ == 2) return axis.mode == 0 ? "row" : "column";
    return fmt::format("mode {}", axis.mode);
  }

  /// A stroke for each run of cells of a shade side by side; the next one in a row is relative to the end of the last.
  std::string cells_of(const Plot& plot, std::size_t shade) const {
    const auto is_of_shade = [&](int row, int column) {
      const std::int64_t count = plot.at(row, column);
      return count > 0 && shade_of(count) == shade;
    };
    std::string path;
    for (int row = 0; row < plot.rows.bins; ++row)
      for (int column = 0, end = -1; column < plot.columns.bins; ++column) {
        if (!is_of_shade(row, column)) continue;
        const int begin = column;
        while (column < plot.columns.bins && is_of_shade(row, column)) ++column;
        if (end < 0) fmt::format_to(std::back_inserter(path), "M{} {}h{}", begin, row, column - begin);
        else fmt::format_to(std::back_inserter(path), "m{} 0h{}", begin - end, column - begin);
        end = column;
      }
    return path;
  }

  void draw(const Plot& plot, double left, double top) {
    const double cell_width = plot.columns.length / plot.columns.bins, cell_height = plot.rows.length / plot.rows.bins;
    for (std::size_t shade = 0; shade < shades.size(); ++shade) {
      const std::string path = cells_of(plot, shade);
      if (!path.empty()) canvas_.strokes(left, top, cell_width, cell_height, path, shades[shade]);
    }
    canvas_.rectangle(left, top, plot.columns.length, plot.rows.length, 0, Ink{"none", outline, 1});
    column_axis(plot.columns, left, top);
    if (plot.rows.mode >= 0) row_axis(plot.rows, left, top);
    reach(left + plot.columns.length);
  }

  /// Where coordinate c stands in a plot: the middle of its cell.
  static double place(const Axis& axis, std::int64_t c) {
    return (static_cast<double>(c) + 0.5) / static_cast<double>(axis.size) * axis.length;
  }

  void column_axis(const Axis& axis, double left, double top) {
    if (axis.mode < 0) return;
    Letters letters = axis_letters;
    canvas_.text(left, top - 24, mode_name(axis), letters);
    reach(left + width_of(mode_name(axis), letters));
    letters = tick_letters;
    letters.anchor = Letters::Anchor::Middle;
    const double label = width_of(std::to_string(axis.size), letters) + 14;
    const auto most = static_cast<std::int64_t>(std::max(1.0, axis.length / label));
    const std::int64_t step = step_of(axis.size, std::min<std::int64_t>(most, 8));
    for (std::int64_t c = 0; c < axis.size; c += step) {
      const double x = left + place(axis, c);
      canvas_.line(x, top - 4, x, top, Ink{"none", outline, 1});
      canvas_.text(x, top - 8, std::to_string(c), letters);
      reach(x + width_of(std::to_string(c), letters) / 2);
    }
  }

  void row_axis(const Axis& axis, double left, double top) {
    Letters letters = axis_letters;
    letters.anchor = Letters::Anchor::End;
    canvas_.text(left - 8, top - 8, mode_name(axis), letters);
    letters = tick_letters;
    letters.anchor = Letters::Anchor::End;
    const auto most = static_cast<std::int64_t>(std::max(1.0, axis.length / 16));
    const std::int64_t step = step_of(axis.size, std::min<std::int64_t>(most, 8));
    for (std::int64_t c = 0; c < axis.size; c += step) {
      const double y = top + place(axis, c);
      canvas_.line(left - 4, y, left, y, Ink{"none", outline, 1});
      canvas_.text(left - 7, y + 3.5, std::to_string(c), letters);
    }
  }

  /// What a cell is, and what its shade means; returns where the picture ends.
  double legend(double y) {
    const double left = margin + axis_width;
    std::int64_t widest = 1;
    for (const Plot& plot : plots_)
      for (const Axis* axis : {&plot.rows, &plot.columns})
        widest = std::max(widest, (axis->size + axis->bins - 1) / axis->bins);
    const std::string cell = widest > 1 ? fmt::format("a cell is up to {} coordinates wide", widest) : "";
    if (most_ <= 1 && cell.empty()) return y;
    double x = left;
    if (most_ > 1) {
      const std::string words = "entries in a cell: 1";
      canvas_.text(x, y + 10, words, caption_letters);
      x += width_of(words, caption_letters) + 6;
      for (const char* shade : shades) {
        canvas_.rectangle(x, y, 18, 12, 0, Ink{shade, outline, 0.5});
        x += 18;
      }
      const std::string most = std::to_string(most_);
      canvas_.text(x + 6, y + 10, most, caption_letters);
      x += width_of(most, caption_letters) + 12;
      reach(x);
    }
    if (!cell.empty()) {
      y += most_ > 1 ? 18 : 0;
      canvas_.text(left, y + 10, cell, caption_letters);
      reach(left + width_of(cell, caption_letters));
    }
    return y + margin;
  }

  int order_;
  std::vector<Plot> plots_;
  const std::string& title_;
  std::int64_t most_ = 0;
  double right_ = 0;
  Canvas canvas_;
};

}  // namespace

std::string spy(const CoordinateList& entries, const std::string& title) { return SpyPainter(entries, title).run(); }

}  // namespace lacuna
