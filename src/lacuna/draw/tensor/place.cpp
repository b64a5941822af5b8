#include "lacuna/draw/tensor/place.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "lacuna/draw/tensor/structures.h"

namespace lacuna::picture {
namespace {

constexpr double title_height = 20;  // of a level
constexpr double name_height = 14;   // of an array above a column
constexpr double name_width = 52;    // of one before a row
constexpr double between = 40;       // between levels

double cell_width(const ArrayRow& row) {
  double widest = 20;
  for (const std::string& cell : row.cells) widest = std::max(widest, width_of(cell, cell_letters) + 8);
  return widest;
}

class Placer {
 public:
  Placer(const TensorModel& model, double top) : model_(model), top_(top) {
    for (const LevelModel& level : model.levels) {
      PlacedLevel& placed = placement_.levels.emplace_back();
      placed.rows.resize(level.rows.size());
      placed.nodes.resize(level.nodes.size());
    }
  }

  Placement run() {
    StructurePlacer structures(model_, placement_);
    std::size_t level = 0;
    double y = top_;
    const std::size_t first = first_dynamic();
    if (first < model_.levels.size()) {
      y = columns(first, structures);
      level = end_of_dynamic(first);
    }
    while (level < model_.levels.size()) {
      if (y > top_) y += between;
      y = title(level, margin, y);
      if (!model_.levels[level].dynamic) {
        y = rows(level++, y);
        continue;
      }
      std::vector<std::int64_t> all(model_.levels[level].structures.size());
      std::iota(all.begin(), all.end(), 0);
      y = reached(structures.put_all(level, all, margin, y), margin, y);
      level = end_of_dynamic(level);
    }
    if (!model_.values.cells.empty()) {
      if (!model_.levels.empty()) y += line_height;
      placement_.values = row(model_.values, y);
      y += line_height;
    }
    placement_.height = y + margin;
    placement_.width += margin;
    return std::move(placement_);
  }

 private:
  std::size_t first_dynamic() const {
    const auto found =
        std::find_if(model_.levels.begin(), model_.levels.end(), [](const LevelModel& l) { return l.dynamic; });
    return static_cast<std::size_t>(found - model_.levels.begin());
  }
  std::size_t end_of_dynamic(std::size_t level) const {
    while (level < model_.levels.size() && model_.levels[level].dynamic) ++level;
    return level;
  }

  /// Those of a run of dynamic levels stand in one line, since their structures lie among each other.
  double title(std::size_t level, double x, double y) {
    std::string text = model_.levels[level].title;
    const std::size_t end = model_.levels[level].dynamic ? end_of_dynamic(level) : level + 1;
    for (std::size_t next = level + 1; next < end; ++next) text += " · " + model_.levels[next].title;
    placement_.titles.push_back({x, y + 12, text});
    placement_.width = std::max(placement_.width, x + width_of(text, level_letters));
    return y + title_height;
  }

  /// Notes how far something reaches; returns where the next line begins.
  double reached(const Size& size, double x, double y) {
    placement_.width = std::max(placement_.width, x + size.width);
    return y + size.height;
  }

  PlacedRow row(const ArrayRow& of, double y) {
    PlacedRow placed;
    const double width = cell_width(of);
    for (std::size_t k = 0; k < of.cells.size(); ++k)
      placed.cells.push_back({margin + name_width + static_cast<double>(k) * width, y, width, line_height});
    placement_.width = std::max(placement_.width, margin + name_width + static_cast<double>(of.cells.size()) * width);
    return placed;
  }

  double rows(std::size_t level, double y) {
    const std::vector<ArrayRow>& of = model_.levels[level].rows;
    for (std::size_t r = 0; r < of.size(); ++r) {
      if (r > 0) y += line_height / 2;
      placement_.levels[level].rows[r] = row(of[r], y);
      y += line_height;
    }
    return y;
  }

  /// The levels of arrays up to the first dynamic one, as columns, and that one's structures; each of them beside its
  /// entry, which is as high.
  double columns(std::size_t dynamic, StructurePlacer& structures) {
    double x = margin, end = top_;
    for (std::size_t level = 0; level < dynamic; ++level) {
      const double begin = x;
      const double y = title(level, x, top_) + name_height;
      for (std::size_t r = 0; r < model_.levels[level].rows.size(); ++r) {
        const ArrayRow& of = model_.levels[level].rows[r];
        PlacedRow& placed = placement_.levels[level].rows[r];
        placed.column = true;
        const double width = cell_width(of);
        const bool entries = level + 1 == dynamic && r + 1 == model_.levels[level].rows.size();
        double cell_y = y;
        for (std::size_t k = 0; k < of.cells.size(); ++k) {
          const double height =
              entries ? structures.size_of(dynamic, static_cast<std::int64_t>(k)).height + gap : line_height;
          placed.cells.push_back({x, cell_y, width, height});
          const double root =
              entries ? structures.root_height(dynamic, static_cast<std::int64_t>(k)) + gap : line_height;
          placed.text_at.push_back(cell_y + root / 2);
          cell_y += height;
        }
        end = std::max(end, cell_y);
        x += width + gap;
      }
      x = std::max(x, begin + width_of(model_.levels[level].title, level_letters) + gap);
    }
    double y = title(dynamic, x, top_) + (dynamic > 0 ? name_height + gap / 2 : 0);
    for (std::size_t s = 0; s < model_.levels[dynamic].structures.size(); ++s) {
      const auto structure = static_cast<std::int64_t>(s);
      structures.put(dynamic, structure, x, y);
      y = reached(structures.size_of(dynamic, structure), x, y);
      if (dynamic > 0) y += gap;
    }
    return std::max(y, end);
  }

  const TensorModel& model_;
  double top_;
  Placement placement_;
};

}  // namespace

std::string slot_text(const Slot& slot) {
  if (slot.kind == Slot::Kind::Element) return std::to_string(slot.coordinate);
  if (slot.count > 1) return fmt::format("×{}", slot.count);
  return slot.kind == Slot::Kind::Empty ? "-1" : "";
}

std::string node_title(const DrawnNode& node) { return node.above.empty() ? node.type : node.type + " " + node.above; }

Placement place(const TensorModel& model, double top) { return Placer(model, top).run(); }

}  // namespace lacuna::picture
