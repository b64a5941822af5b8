#include "lacuna/draw/tensor/place.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "lacuna/draw/tensor/structures.h"

namespace lacuna::picture {
namespace {

constexpr double title_height = 20;  // of a level
constexpr double name_height = 14;   // of an array above a column
constexpr double name_width = 52;    // of one before a row
constexpr double between = 40;       // between levels
constexpr double link_height = 34;   // between an array and the one that its numbers lead to
constexpr double line_gap = 15;      // between the lines of a row

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
    if (model_.levels.empty()) y = band({{&model_.values, &placement_.values}}, y, 1);
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

  using Band = std::vector<std::pair<const ArrayRow*, PlacedRow*>>;

  /// Rows one below another, cell below cell, in as many lines as they need; returns where they end. A line ends where
  /// a group of `group` cells does.
  double band(const Band& rows, double y, std::size_t group) {
    double width = 0;
    std::size_t cells = 0;
    for (const auto& [of, placed] : rows) {
      width = std::max(width, cell_width(*of));
      cells = std::max(cells, of->cells.size());
    }
    const double left = margin + name_width;
    const auto most = static_cast<std::size_t>(std::max(1.0, std::floor((page_width - margin - left) / width)));
    for (std::size_t first = 0, end = 0; first < cells; first = end) {
      end = std::min({cells, first + most, group > 1 ? (first / group + 1) * group : cells});
      y += first > 0 ? line_gap : 0;
      for (const auto& [of, placed] : rows) {
        if (first < of->cells.size()) placement_.names.push_back({left - 6, y + 12, of->name});
        for (std::size_t k = first; k < std::min(end, of->cells.size()); ++k)
          placed->cells.push_back({left + static_cast<double>(k - first) * width, y, width, line_height});
        y += line_height;
      }
      placement_.width = std::max(placement_.width, left + static_cast<double>(end - first) * width);
    }
    return y;
  }

  double rows(std::size_t level, double y) {
    const LevelModel& of = model_.levels[level];
    Band by_position;
    double space = 0;  // above the next row
    for (std::size_t r = 0; r < of.rows.size(); ++r) {
      PlacedRow& placed = placement_.levels[level].rows[r];
      if (of.rows[r].by_position) {
        by_position.emplace_back(&of.rows[r], &placed);
        continue;
      }
      y = band({{&of.rows[r], &placed}}, y + space, 1);
      space = of.segments.empty() ? line_height / 2 : link_height;
    }
    if (level + 1 == model_.levels.size() && !model_.values.cells.empty())
      by_position.emplace_back(&model_.values, &placement_.values);
    if (by_position.empty()) return y;
    const bool dense = of.segments.empty() && of.spread > 1;
    y = band(by_position, y + space, dense ? static_cast<std::size_t>(of.spread) : 1);
    label_positions(*by_position.front().second, of.segments);
    return y;
  }

  /// Above the first cell of each line, and of each parent's segment, its position.
  void label_positions(const PlacedRow& row, const std::vector<std::int64_t>& segments) {
    double taken = 0, line = -1;
    std::size_t segment = 0;
    for (std::size_t k = 0; k < row.cells.size(); ++k) {
      const Rectangle& cell = row.cells[k];
      bool begins = cell.y > line && k > 0;
      if (cell.y > line) taken = 0;
      line = cell.y;
      for (; segment < segments.size() && segments[segment] <= static_cast<std::int64_t>(k); ++segment)
        begins = begins || segments[segment] == static_cast<std::int64_t>(k);
      if (!begins || cell.x < taken) continue;
      const std::string text = std::to_string(k);
      placement_.positions.push_back({cell.x + 9, cell.y - 3, text});
      taken = cell.x + 9 + width_of(text, field_letters);
    }
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
  if (slot.kind == Slot::Kind::More) return fmt::format("… {} more", slot.count);
  if (slot.kind == Slot::Kind::Elsewhere) return "…";
  if (slot.count > 1) return fmt::format("×{}", slot.count);
  return slot.kind == Slot::Kind::Empty ? "-1" : "";
}

std::string node_title(const DrawnNode& node) { return node.above.empty() ? node.type : node.type + " " + node.above; }

Placement place(const TensorModel& model, double top) { return Placer(model, top).run(); }

}  // namespace lacuna::picture
