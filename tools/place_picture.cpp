#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "lacuna/draw/bin.h"
#include "lacuna/draw/canvas.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/compare.h"
#include "tools/picture_style.h"
#include "tools/place.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

using picture::Canvas;
using picture::Ink;
using picture::Letters;

constexpr double gap = 16;

/// As different from those of the numbers before as hues allow.
std::string colour_of(std::int64_t number) {
  const double hue = std::fmod(211.0 + 137.508 * static_cast<double>(number), 360.0) / 60.0;
  const double light = number % 2 == 0 ? 0.62 : 0.74, strength = 0.62 * (1 - std::abs(2 * light - 1));
  const auto part = [&](double turn) {
    const double x = std::fmod(hue + turn, 6.0);
    const double wave = x < 1 ? x : x < 3 ? 1 : x < 4 ? 4 - x : 0;
    return static_cast<int>(std::lround(255 * (light - strength / 2 + strength * wave)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", part(2), part(0), part(4));
}

struct Size {
  double width = 0, height = 0;
};

/// The tensor as rows and columns of bins, in the colours of the parts that their entries belong to; in a plot of its
/// own each slice of a tensor of order 3.
class TensorDrawing {
 public:
  explicit TensorDrawing(const PlacedTensor& placed) {
    const std::vector<std::int64_t>& dimensions = placed.parts.tensor().dimensions;
    if (dimensions.empty() || dimensions.size() > 3)
      user_error("{} has order {}; pictures are of orders 1 to 3", placed.name, dimensions.size());
    std::copy(dimensions.rbegin(), dimensions.rend(), extents_.rbegin());
    bins_[0] = std::clamp<std::int64_t>(extents_[0], 1, most_slices);
    const double length = bins_[0] == 1 ? 560 : bins_[0] == 2 ? 270 : 130;
    const auto longest = static_cast<double>(std::max(extents_[1], extents_[2]));
    cell_ = std::clamp(std::floor(length / longest), finest_cell, coarsest_cell);
    for (const std::size_t m : {1U, 2U}) {
      const double share = std::min(length, longest * cell_) * static_cast<double>(extents_[m]) / longest / cell_;
      bins_[m] = std::clamp<std::int64_t>(std::llround(share), 1, std::max<std::int64_t>(1, extents_[m]));
    }
    for (std::int64_t c = 0; c < placed.parts.colours(); ++c) {
      for (const Storage& tile : placed.parts.tiles(c)) count(tile, c);
    }
  }

  Size size() const {
    const std::int64_t lines = (bins_[0] + a_line - 1) / a_line;
    return {static_cast<double>(std::min(bins_[0], a_line)) * (width() + gap) - gap,
            static_cast<double>(lines) * (height() + caption_height() + gap) - gap};
  }

  void draw(Canvas& canvas, double left, double top) const {
    for (std::int64_t slice = 0; slice < bins_[0]; ++slice) {
      const double x = left + static_cast<double>(slice % a_line) * (width() + gap);
      const double y =
          top + static_cast<double>(slice / a_line) * (height() + caption_height() + gap) + caption_height();
      if (bins_[0] > 1) canvas.text(x, y - 4, slice_text(slice), {9, "#555"});
      if (cell_ >= 8) grid_lines(canvas, x, y);
      for (const auto& [colour, path] : strokes_of(slice)) canvas.strokes(x, y, cell_, cell_, path, colour_of(colour));
      canvas.rectangle(x, y, width(), height(), 0, Ink{"none", outline, 1});
    }
  }

 private:
  using Bin = std::array<std::int64_t, 3>;
  static constexpr std::int64_t most_slices = 8, a_line = 4;
  static constexpr double finest_cell = 2, coarsest_cell = 14;

  double width() const { return static_cast<double>(bins_[2]) * cell_; }
  double height() const { return static_cast<double>(bins_[1]) * cell_; }
  double caption_height() const { return bins_[0] > 1 ? 14 : 0; }

  /// The first coordinate of bin k of a mode.
  std::int64_t first_of(std::size_t m, std::int64_t k) const {
    return static_cast<std::int64_t>(
        std::ceil(static_cast<double>(k) * static_cast<double>(extents_[m]) / static_cast<double>(bins_[m])));
  }
  std::string slice_text(std::int64_t slice) const {
    const std::int64_t first = first_of(0, slice), last = first_of(0, slice + 1) - 1;
    return first == last ? fmt::format("slice {}", first) : fmt::format("slices {} to {}", first, last);
  }

  void count(const Storage& tile, std::int64_t colour) {
    for_each(tile, [&](std::span<const std::int64_t> coordinate, const Scalar&) {
      Bin bin{};
      for (std::size_t m = 0; m < coordinate.size(); ++m) {
        const std::size_t to = 3 - coordinate.size() + m;
        bin[to] = picture::bin_of(coordinate[m], extents_[to], bins_[to]);
      }
      ++counts_[bin][colour];
    });
  }

  void grid_lines(Canvas& canvas, double x, double y) const {
    const Ink ink{"none", "#e4e4e4", 0.5};
    for (std::int64_t row = 1; row < bins_[1]; ++row)
      canvas.line(x, y + static_cast<double>(row) * cell_, x + width(), y + static_cast<double>(row) * cell_, ink);
    for (std::int64_t column = 1; column < bins_[2]; ++column)
      canvas.line(x + static_cast<double>(column) * cell_, y, x + static_cast<double>(column) * cell_, y + height(),
                  ink);
  }

  /// Cells in the colour that has most of their entries.
  std::map<std::int64_t, std::string> strokes_of(std::int64_t slice) const {
    std::map<std::int64_t, std::string> paths;
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    for (auto at = counts_.lower_bound({slice, 0, 0}); at != counts_.end() && at->first[0] == slice; ++at) {
      const std::int64_t colour = std::max_element(at->second.begin(), at->second.end(), fewer)->first;
      paths[colour] += fmt::format("M{} {}h1", at->first[2], at->first[1]);
    }
    return paths;
  }

  std::array<std::int64_t, 3> extents_ = {1, 1, 1};
  std::array<std::int64_t, 3> bins_ = {1, 1, 1};
  double cell_ = 1;
  std::map<Bin, std::map<std::int64_t, std::int64_t>> counts_;  // entries by bin and colour
};

/// The machine as a grid of boxes, each of which holds the grid within it.
class MachineDrawing {
 public:
  explicit MachineDrawing(const Partition& parts) : parts_(parts), machine_(parts.distribution().machine()) {
    if (machine_.processors() > 1024)
      user_error("{} has {} processors; pictures show up to 1024", machine_.to_string(), machine_.processors());
  }

  Size size(int level = 0) const {
    if (level == machine_.levels()) return {44, 26};
    const Size inner = box(level);
    const auto [rows, columns] = shape(level);
    return {static_cast<double>(columns) * inner.width, static_cast<double>(rows) * inner.height};
  }

  void draw(Canvas& canvas, double left, double top) const { draw(canvas, left, top, 0, 0); }

 private:
  static constexpr double space = 3;
  static constexpr std::int64_t a_line = 16;  // points of a grid of one dimension

  /// A point of a level's grid, with what is within.
  Size box(int level) const {
    const Size inner = size(level + 1);
    return {inner.width + 2 * space, inner.height + 2 * space};
  }
  /// The first of several dimensions goes down, all others across; a single one across, in lines.
  std::pair<std::int64_t, std::int64_t> shape(int level) const {
    const Grid& grid = machine_.level(level);
    if (grid.dimensions() == 1) return {(grid.size(0) + a_line - 1) / a_line, std::min(grid.size(0), a_line)};
    return {grid.size(0), grid.points() / grid.size(0)};
  }

  /// `first`: the number of this grid among those of its level.
  void draw(Canvas& canvas, double left, double top, int level, std::int64_t first) const {
    if (level == machine_.levels()) return draw_processor(canvas, left, top, first);
    const Size each = box(level);
    const auto [rows, columns] = shape(level);
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        const double x = left + static_cast<double>(column) * each.width;
        const double y = top + static_cast<double>(row) * each.height;
        const std::int64_t point = row * columns + column;
        if (point >= machine_.level(level).points()) return;
        if (level + 1 < machine_.levels())
          canvas.rectangle(x + 1, y + 1, each.width - 2, each.height - 2, 3, Ink{"none", outline, 1});
        draw(canvas, x + space, y + space, level + 1, first * machine_.level(level).points() + point);
      }
    }
  }

  void draw_processor(Canvas& canvas, double x, double y, std::int64_t processor) const {
    const std::optional<std::int64_t> colour = parts_.colour_at(processor);
    canvas.rectangle(x, y, 44, 26, 3, colour ? Ink{colour_of(*colour), outline, 1} : Ink{"none", outline, 1, "3 2"});
    Letters letters{9, "#222"};
    letters.anchor = Letters::Anchor::Middle;
    canvas.text(x + 22, y + 16, fmt::format("{}", fmt::join(machine_.point(processor), ",")), letters);
  }

  const Partition& parts_;
  const Machine& machine_;
};

}  // namespace

std::string placement_picture(const PlacedTensor& placed) {
  const TensorDrawing tensor(placed);
  const MachineDrawing machine(placed.parts);
  const Distribution& distribution = placed.parts.distribution();
  const std::string title =
      fmt::format("{}: {} on {}", placed.name, distribution.to_string(), distribution.machine().to_string());
  const std::string below_tensor = fmt::format("{}, {}", dimensions_text(placed.parts.tensor().dimensions),
                                               placed.parts.tensor().format.to_string());
  const std::string below_machine = fmt::format("{} parts", placed.parts.colours());
  const Letters heading{13, "#222", true}, caption{11, "#555"};
  Canvas canvas;
  const std::vector<std::string> lines = picture::wrapped(title, heading, picture_width - 2 * picture_margin);
  const double top = canvas.text(picture_margin, 24, lines, heading);
  tensor.draw(canvas, picture_margin, top);
  const double tensor_right = picture_margin + std::max(tensor.size().width, width_of(below_tensor, caption));
  // Beside the tensor where the page is wide enough, else below it.
  const bool beside = tensor_right + 2 * gap + machine.size().width <= picture_width;
  double bottom = top + (beside ? std::max(tensor.size().height, machine.size().height) : tensor.size().height) + 18;
  canvas.text(picture_margin, bottom, below_tensor, caption);
  const double left = beside ? tensor_right + 2 * gap : picture_margin;
  machine.draw(canvas, left, beside ? top : bottom + gap);
  if (!beside) bottom += gap + machine.size().height + 18;
  canvas.text(left, bottom, below_machine, caption);
  double right = std::max(tensor_right, left + std::max(machine.size().width, width_of(below_machine, caption)));
  right = std::max(right, picture_margin + width_of(lines, heading));
  return canvas.document(right + picture_margin, bottom + picture_margin, title);
}

}  // namespace lacuna::tool
