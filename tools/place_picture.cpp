#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "lacuna/draw/canvas.h"
#include "lacuna/tensor/compare.h"
#include "tools/place.h"
#include "tools/summary.h"

namespace lacuna::tool {
namespace {

using picture::Canvas;
using picture::Ink;
using picture::Letters;

constexpr double cell = 12, gap = 16, margin = 24;
constexpr const char* outline = "#888";

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

/// The tensor as rows and columns of bins, side by side for the slices of a tensor of order 3.
class TensorDrawing {
 public:
  explicit TensorDrawing(const PlacedTensor& placed) {
    const std::vector<std::int64_t>& dimensions = placed.parts.tensor().dimensions;
    if (dimensions.empty() || dimensions.size() > 3)
      user_error("{} has order {}; pictures are of orders 1 to 3", placed.name, dimensions.size());
    std::copy(dimensions.rbegin(), dimensions.rend(), extents_.rbegin());
    constexpr std::int64_t most[] = {8, 48, 48};
    for (std::size_t m = 0; m < 3; ++m) bins_[m] = std::clamp<std::int64_t>(extents_[m], 1, most[m]);
    for (std::int64_t c = 0; c < placed.parts.colours(); ++c) {
      for (const Storage& tile : placed.parts.tiles(c)) count(tile, c);
    }
  }

  Size size() const {
    return {static_cast<double>(bins_[0]) * (static_cast<double>(bins_[2]) * cell + gap) - gap,
            static_cast<double>(bins_[1]) * cell};
  }

  void draw(Canvas& canvas, double left, double top) const {
    for (std::int64_t slice = 0; slice < bins_[0]; ++slice) {
      const double x = left + static_cast<double>(slice) * (static_cast<double>(bins_[2]) * cell + gap);
      for (std::int64_t row = 0; row < bins_[1]; ++row) {
        for (std::int64_t column = 0; column < bins_[2]; ++column)
          draw_bin(canvas, {slice, row, column}, x + static_cast<double>(column) * cell,
                   top + static_cast<double>(row) * cell);
      }
      canvas.rectangle(x, top, static_cast<double>(bins_[2]) * cell, static_cast<double>(bins_[1]) * cell, 0,
                       Ink{"none", outline, 1});
    }
  }

 private:
  using Bin = std::array<std::int64_t, 3>;

  void count(const Storage& tile, std::int64_t colour) {
    for_each(tile, [&](std::span<const std::int64_t> coordinate, const Scalar&) {
      Bin bin{};
      for (std::size_t m = 0; m < coordinate.size(); ++m) {
        const std::size_t to = 3 - coordinate.size() + m;
        const double share = static_cast<double>(coordinate[m]) / static_cast<double>(extents_[to]);
        bin[to] = std::min(bins_[to] - 1, static_cast<std::int64_t>(share * static_cast<double>(bins_[to])));
      }
      ++counts_[bin][colour];
    });
  }

  void draw_bin(Canvas& canvas, const Bin& bin, double x, double y) const {
    const auto found = counts_.find(bin);
    if (found == counts_.end()) return canvas.rectangle(x, y, cell, cell, 0, Ink{"none", "#e4e4e4", 0.5});
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const std::int64_t colour = std::max_element(found->second.begin(), found->second.end(), fewer)->first;
    canvas.rectangle(x, y, cell, cell, 0, Ink{colour_of(colour), "#fff", 0.5});
  }

  std::array<std::int64_t, 3> extents_ = {1, 1, 1};
  std::array<std::int64_t, 3> bins_ = {1, 1, 1};
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

  /// A point of a level's grid, with what is within.
  Size box(int level) const {
    const Size inner = size(level + 1);
    return {inner.width + 2 * space, inner.height + 2 * space};
  }
  /// The first of several dimensions goes down, all others across.
  std::pair<std::int64_t, std::int64_t> shape(int level) const {
    const Grid& grid = machine_.level(level);
    if (grid.dimensions() == 1) return {1, grid.size(0)};
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
        if (level + 1 < machine_.levels())
          canvas.rectangle(x + 1, y + 1, each.width - 2, each.height - 2, 3, Ink{"none", outline, 1});
        draw(canvas, x + space, y + space, level + 1, first * rows * columns + row * columns + column);
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
  const std::string below_machine = fmt::format("{} pieces", placed.parts.colours());
  const Letters heading{13, "#222", true}, caption{11, "#555"};
  Canvas canvas;
  canvas.text(margin, 24, title, heading);
  const double top = 40;
  tensor.draw(canvas, margin, top);
  const double left = margin + std::max(tensor.size().width, width_of(below_tensor, caption)) + 2 * gap;
  machine.draw(canvas, left, top);
  const double bottom = top + std::max(tensor.size().height, machine.size().height) + 18;
  canvas.text(margin, bottom, below_tensor, caption);
  canvas.text(left, bottom, below_machine, caption);
  const double right = left + std::max(machine.size().width, width_of(below_machine, caption));
  return canvas.document(std::max(right, margin + width_of(title, heading)) + margin, bottom + margin, title);
}

}  // namespace lacuna::tool
