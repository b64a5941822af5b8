#include <algorithm>

#include <fmt/format.h>

#include "lacuna/draw/picture.h"
#include "lacuna/draw/tensor/place.h"

namespace lacuna {
namespace {

using namespace picture;

const Ink reference_ink{"none", "#33475e", 1.1};
const Ink down_a_level{"none", "#2a6fb0", 1.1};
const Ink of_segment{"none", "#7fa8d1", 0.8};
const Ink node_ink{"#f3f7fc", "#8595a8"};
const Ink element_ink{"#dce8f4", "#33475e", 0.8};
const Ink value_ink{"white", "#33475e", 0.8};
const Ink nothing_ink{"#eeeeee", "#8595a8", 0.8};
const Ink free_ink{"white", "#a9bcd2", 0.8, "2 2"};
/// More arrows side by side are a tangle: the positions above the cells say the same.
constexpr std::size_t most_segment_arrows = 24;
constexpr Letters faint_letters{10.5, "#8595a8"};

/// Where an arrow ends, and whether it arrives from the left.
struct Target {
  Rectangle box;
  bool right = false;
};

class Painter {
 public:
  explicit Painter(const TensorModel& model, const std::string& title)
      : model_(model),
        title_(title),
        title_lines_(wrapped(title, title_letters, page_width - 2 * margin)),
        places_(place(model, top())) {}

  std::string run() {
    // Arrows pass behind boxes.
    for (std::size_t level = 0; level < model_.levels.size(); ++level) arrows(level);
    heading();
    for (std::size_t level = 0; level < model_.levels.size(); ++level) {
      const bool last = level + 1 == model_.levels.size();
      for (std::size_t r = 0; r < model_.levels[level].rows.size(); ++r)
        row(model_.levels[level].rows[r], places_.levels[level].rows[r], model_.levels[level].segments);
      if (last) row(model_.values, places_.values, model_.levels[level].segments);
      for (std::size_t n = 0; n < model_.levels[level].nodes.size(); ++n)
        node(model_.levels[level].nodes[n], places_.levels[level].nodes[n]);
    }
    if (model_.levels.empty()) row(model_.values, places_.values, {});
    double width = std::max(places_.width, margin + width_of(model_.caption, caption_letters) + margin);
    width = std::max(width, 2 * margin + width_of(title_lines_, title_letters));
    const double height = legend(width);
    return canvas_.document(width, height, title_);
  }

 private:
  static constexpr Letters title_letters{15, "#10243c", true};
  static constexpr Letters caption_letters{11, "#5c6b7d"};
  static constexpr Letters legend_letters{9.5, "#5c6b7d"};

  double top() const { return 36 + 20 * static_cast<double>(title_lines_.size()) + (model_.caption.empty() ? 0 : 16); }

  void heading() {
    const double y = canvas_.text(margin, 30, title_lines_, title_letters);
    if (!model_.caption.empty()) canvas_.text(margin, y, model_.caption, caption_letters);
    for (const Label& each : places_.titles) {
      canvas_.rectangle(each.x, each.y - 12, width_of(each.text, level_letters), line_height, 0, {"white"});
      canvas_.text(each.x, each.y, each.text, level_letters);
    }
    for (const Label& each : places_.names)
      canvas_.text(each.x, each.y, each.text, {10.5, "#33475e", false, false, Letters::Anchor::End});
    for (const Label& each : places_.positions) canvas_.text(each.x, each.y, each.text, field_letters);
  }

  /// What the signs in the picture mean; returns where the picture ends.
  double legend(double& width) {
    bool nodes = false, segments = false;
    for (const LevelModel& level : model_.levels) {
      nodes = nodes || level.dynamic;
      segments = segments || !level.segments.empty();
    }
    std::vector<std::string> lines;
    const auto add = [&](const char* text) {
      for (std::string& line : wrapped(text, legend_letters, std::max(width, 480.0) - 2 * margin))
        lines.push_back(std::move(line));
    };
    if (segments)
      add("pos: the first position of each parent, and the end; small numbers above cells are positions; shades change "
          "from parent to parent.");
    if (nodes)
      add("slots: a coordinate over its value, or a reference (crossed out: null; …: to a node not shown); -1: holds "
          "nothing; dotted: not in use.");
    width = std::max(width, 2 * margin + width_of(lines, legend_letters));
    const double end = canvas_.text(margin, places_.height, lines, legend_letters);
    return lines.empty() ? places_.height : end + margin / 2;
  }

  void arrows(std::size_t level) {
    const LevelModel& of = model_.levels[level];
    const std::vector<PlacedNode>& nodes = places_.levels[level].nodes;
    for (std::size_t n = 0; n < of.nodes.size(); ++n)
      for (std::size_t s = 0; s < of.nodes[n].slots.size(); ++s) {
        const Slot& slot = of.nodes[n].slots[s];
        const Rectangle& from = nodes[n].slots[s];
        if (slot.leads_to < 0) continue;
        if (slot.kind == Slot::Kind::Reference) reference(from, nodes, slot, n);
        else if (const std::optional<Rectangle> to = landing(level + 1, slot.leads_to))
          arrow(from.middle(), from.y + 1.5 * line_height, {*to, false}, down_a_level);
      }
    segment_arrows(level);
    if (of.dynamic || level + 1 >= model_.levels.size() || !model_.levels[level + 1].dynamic) return;
    const PlacedRow& entries = places_.levels[level].rows.back();
    for (std::size_t k = 0; k < entries.cells.size(); ++k) {
      const Rectangle& from = entries.cells[k];
      const std::optional<Rectangle> to = root_of(level + 1, static_cast<std::int64_t>(k));
      if (!to) continue;
      // A column's arrow arrives at the middle of the root, which is the highest of its structure.
      if (entries.column) arrow(from.right(), to->centre(), {*to, true}, down_a_level);
      else arrow(from.middle(), from.bottom(), {*to, false}, down_a_level);
    }
  }

  /// From each entry of `pos` to the first coordinate of its parent, as long as there are few.
  void segment_arrows(std::size_t level) {
    const std::vector<std::int64_t>& segments = model_.levels[level].segments;
    if (segments.empty()) return;
    const auto pos = static_cast<std::size_t>(model_.levels[level].entered);
    const PlacedRow& from = places_.levels[level].rows[pos];
    if (from.cells.size() > most_segment_arrows) return;
    for (std::size_t k = 0; k + 1 < segments.size() && k < from.cells.size(); ++k) {
      if (segments[k] == segments[k + 1]) continue;
      const std::optional<Rectangle> to = cell_of(places_.levels[level].rows[pos + 1], segments[k]);
      if (!to) continue;
      if (from.column) arrow(from.cells[k].right(), from.cells[k].centre(), {*to, true}, of_segment);
      else canvas_.arrow(from.cells[k].middle(), from.cells[k].bottom(), to->x + 4, to->y, false, of_segment);
    }
  }

  void reference(const Rectangle& from, const std::vector<PlacedNode>& nodes, const Slot& slot, std::size_t n) {
    const PlacedNode& child = nodes[static_cast<std::size_t>(slot.leads_to)];
    const Rectangle& parent = nodes[n].box;
    if (child.trunk >= 0 && child.box.y >= parent.bottom()) {
      canvas_.elbow(child.trunk, parent.bottom(), child.box.x, child.box.centre(), reference_ink);
      canvas_.text(child.trunk + 4, child.box.centre() - 4, slot.label, field_letters);
      return;
    }
    const bool right = child.box.x >= parent.right();
    arrow(from.middle(), from.centre(), {child.box, right && slot.beside}, reference_ink);
  }

  void arrow(double x, double y, const Target& to, const Ink& ink) {
    if (to.right) canvas_.arrow(x, y, to.box.x, to.box.centre(), true, ink);
    else canvas_.arrow(x, y, to.box.middle(), to.box.y, false, ink);
  }

  /// None where there was no room for it.
  std::optional<Rectangle> root_of(std::size_t level, std::int64_t position) const {
    const std::vector<Structure>& structures = model_.levels[level].structures;
    if (position >= std::ssize(structures)) return std::nullopt;
    const Structure& structure = structures[static_cast<std::size_t>(position)];
    if (structure.count == 0) return std::nullopt;
    return places_.levels[level].nodes[structure.first].box;
  }

  /// Where a position of the level above leads: to a root, a cell of the level's first array, or what lies below.
  std::optional<Rectangle> landing(std::size_t level, std::int64_t position) const {
    for (; level < model_.levels.size(); ++level) {
      const LevelModel& of = model_.levels[level];
      if (of.dynamic) return root_of(level, position);
      position *= of.spread;
      if (of.entered < 0) continue;
      return cell_of(places_.levels[level].rows[static_cast<std::size_t>(of.entered)], position);
    }
    return cell_of(places_.values, position);
  }

  static std::optional<Rectangle> cell_of(const PlacedRow& row, std::int64_t k) {
    if (k >= static_cast<std::int64_t>(row.cells.size())) return std::nullopt;
    return row.cells[static_cast<std::size_t>(k)];
  }

  void row(const ArrayRow& of, const PlacedRow& placed, const std::vector<std::int64_t>& segments) {
    if (placed.cells.empty()) return;
    if (placed.column) canvas_.text(placed.cells.front().x, placed.cells.front().y - 3, of.name, type_letters);
    std::size_t parent = 0;
    for (std::size_t k = 0; k < placed.cells.size(); ++k) {
      const Rectangle& cell = placed.cells[k];
      while (parent + 2 < segments.size() && segments[parent + 1] <= static_cast<std::int64_t>(k)) ++parent;
      const bool shaded = of.by_position && !segments.empty() && parent % 2 == 0;
      box(cell, shaded ? element_ink : value_ink);
      text({cell.x, placed.column ? placed.text_at[k] - line_height / 2 : cell.y, cell.width, line_height}, of.cells[k],
           cell_letters);
    }
  }

  void box(const Rectangle& place, const Ink& ink) {
    canvas_.rectangle(place.x, place.y, place.width, place.height, 0, ink);
  }

  void text(const Rectangle& cell, const std::string& what, Letters letters) {
    letters.anchor = Letters::Anchor::Middle;
    if (!what.empty()) canvas_.text(cell.middle(), cell.centre() + 4, what, letters);
  }

  void node(const DrawnNode& of, const PlacedNode& placed) {
    const Rectangle& border = placed.box;
    canvas_.begin_group("node", fmt::format("{} {}", of.type, of.index));
    canvas_.rectangle(border.x, border.y, border.width, border.height, 4, node_ink);
    canvas_.text(border.x + 5, border.y + 11, node_title(of), type_letters);
    for (std::size_t s = 0; s < of.slots.size(); ++s) slot(of.slots[s], placed.slots[s]);
    if (!of.facts.empty()) canvas_.text(border.x + 5, border.bottom() - 4, of.facts, field_letters);
    canvas_.end_group();
  }

  void slot(const Slot& of, const Rectangle& place) {
    if (!of.name.empty()) canvas_.text(place.x + 2, place.y - 2, of.name, field_letters);
    const Rectangle above{place.x, place.y, place.width, line_height};
    const Rectangle below{place.x, place.y + line_height, place.width, line_height};
    switch (of.kind) {
      case Slot::Kind::Element:
        box(above, element_ink);
        box(below, value_ink);
        text(above, slot_text(of), cell_letters);
        if (of.leads_to < 0) text(below, of.value, cell_letters);
        else canvas_.circle(below.middle(), below.centre(), 2.5, {down_a_level.stroke});
        return;
      case Slot::Kind::Empty:
        box(place, nothing_ink);
        text(above, slot_text(of), faint_letters);
        return;
      case Slot::Kind::Free:
      case Slot::Kind::More:
        box(place, free_ink);
        text(place, slot_text(of), of.kind == Slot::Kind::More ? cell_letters : faint_letters);
        return;
      case Slot::Kind::Reference:
        box(place, value_ink);
        canvas_.circle(place.middle(), place.centre(), 2.5, {reference_ink.stroke});
        return;
      case Slot::Kind::Elsewhere:
        box(place, value_ink);
        text(place, slot_text(of), cell_letters);
        return;
      case Slot::Kind::Null:
        box(place, value_ink);
        canvas_.line(place.x, place.bottom(), place.right(), place.y, {"none", "#33475e", 0.8});
        return;
    }
  }

  const TensorModel& model_;
  const std::string& title_;
  std::vector<std::string> title_lines_;
  Placement places_;
  Canvas canvas_;
};

}  // namespace

std::string draw_tensor(const Storage& tensor, const std::string& title, std::int64_t most_boxes) {
  const TensorModel model = model_of(tensor, most_boxes);
  return Painter(model, title).run();
}

}  // namespace lacuna
