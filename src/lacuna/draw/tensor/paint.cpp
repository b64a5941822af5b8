#include <algorithm>

#include <fmt/format.h>

#include "lacuna/draw/picture.h"
#include "lacuna/draw/tensor/place.h"

namespace lacuna {
namespace {

using namespace picture;

const Ink line{"none", "#33475e", 1.1};
const Ink down_a_level{"none", "#2a6fb0", 1.1};
const Ink node_ink{"#f3f7fc", "#8595a8"};
const Ink element_ink{"#dce8f4", "#33475e", 0.8};
const Ink value_ink{"white", "#33475e", 0.8};
const Ink nothing_ink{"#eeeeee", "#8595a8", 0.8};
const Ink free_ink{"white", "#a9bcd2", 0.8, "2 2"};
constexpr Letters faint_letters{10.5, "#8595a8"};

/// Where an arrow ends, and whether it arrives from the left.
struct Target {
  Rectangle box;
  bool right = false;
};

class Painter {
 public:
  explicit Painter(const TensorModel& model, const std::string& title)
      : model_(model), title_(title), places_(place(model, 56)) {}

  std::string run() {
    // Arrows pass behind boxes.
    for (std::size_t level = 0; level < model_.levels.size(); ++level) arrows(level);
    canvas_.text(margin, 30, title_, title_letters);
    for (const Label& each : places_.titles) {
      canvas_.rectangle(each.x, each.y - 12, width_of(each.text, level_letters), line_height, 0, {"white"});
      canvas_.text(each.x, each.y, each.text, level_letters);
    }
    bool nodes = false;
    for (std::size_t level = 0; level < model_.levels.size(); ++level) {
      for (std::size_t r = 0; r < model_.levels[level].rows.size(); ++r)
        row(model_.levels[level].rows[r], places_.levels[level].rows[r]);
      for (std::size_t n = 0; n < model_.levels[level].nodes.size(); ++n)
        node(model_.levels[level].nodes[n], places_.levels[level].nodes[n]);
      nodes = nodes || model_.levels[level].dynamic;
    }
    row(model_.values, places_.values);
    double height = places_.height;
    double width = std::max(places_.width, margin + width_of(title_, title_letters) + margin);
    if (nodes) {
      canvas_.text(margin, height, legend, legend_letters);
      height += margin;
      width = std::max(width, 2 * margin + width_of(legend, legend_letters));
    }
    return canvas_.document(width, height, title_);
  }

 private:
  static constexpr Letters title_letters{15, "#10243c", true};
  static constexpr Letters legend_letters{9.5, "#5c6b7d"};
  static constexpr const char* legend =
      "slots: coordinate over value, a reference, crossed out when null; -1 holds nothing; dotted ones are not in use";

  void arrows(std::size_t level) {
    const LevelModel& of = model_.levels[level];
    const std::vector<PlacedNode>& nodes = places_.levels[level].nodes;
    for (std::size_t n = 0; n < of.nodes.size(); ++n)
      for (std::size_t s = 0; s < of.nodes[n].slots.size(); ++s) {
        const Slot& slot = of.nodes[n].slots[s];
        const Rectangle& from = nodes[n].slots[s];
        if (slot.leads_to < 0) continue;
        if (slot.kind == Slot::Kind::Reference) reference(from, nodes, slot, n);
        else if (const auto to = landing(level + 1, slot.leads_to))
          arrow(from.middle(), from.y + 1.5 * line_height, {*to, false}, down_a_level);
      }
    if (of.dynamic || level + 1 >= model_.levels.size() || !model_.levels[level + 1].dynamic) return;
    const PlacedRow& entries = places_.levels[level].rows.back();
    for (std::size_t k = 0; k < entries.cells.size(); ++k) {
      const Rectangle& from = entries.cells[k];
      const Rectangle& to = root_of(level + 1, static_cast<std::int64_t>(k));
      // A column's arrow arrives at the middle of the root, which is the highest of its structure.
      if (entries.column) arrow(from.right(), to.centre(), {to, true}, down_a_level);
      else arrow(from.middle(), from.bottom(), {to, false}, down_a_level);
    }
  }

  void reference(const Rectangle& from, const std::vector<PlacedNode>& nodes, const Slot& slot, std::size_t n) {
    const auto child = static_cast<std::size_t>(slot.leads_to);
    const bool right = nodes[child].box.x >= nodes[n].box.right();
    arrow(from.middle(), from.centre(), {nodes[child].box, right && slot.beside}, line);
  }

  void arrow(double x, double y, const Target& to, const Ink& ink) {
    if (to.right) canvas_.arrow(x, y, to.box.x, to.box.centre(), true, ink);
    else canvas_.arrow(x, y, to.box.middle(), to.box.y, false, ink);
  }

  const Rectangle& root_of(std::size_t level, std::int64_t position) const {
    const Structure& structure = model_.levels[level].structures.at(static_cast<std::size_t>(position));
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

  void row(const ArrayRow& of, const PlacedRow& placed) {
    if (placed.cells.empty()) return;
    const Rectangle& first = placed.cells.front();
    if (placed.column) canvas_.text(first.x, first.y - 3, of.name, type_letters);
    else canvas_.text(first.x - 6, first.y + 12, of.name, {10.5, "#33475e", false, false, Letters::Anchor::End});
    for (std::size_t k = 0; k < placed.cells.size(); ++k) {
      const Rectangle& cell = placed.cells[k];
      canvas_.rectangle(cell.x, cell.y, cell.width, cell.height, 0, value_ink);
      text({cell.x, placed.column ? placed.text_at[k] - line_height / 2 : cell.y, cell.width, line_height}, of.cells[k],
           cell_letters);
    }
  }

  void text(const Rectangle& cell, const std::string& what, Letters letters) {
    letters.anchor = Letters::Anchor::Middle;
    if (!what.empty()) canvas_.text(cell.middle(), cell.centre() + 4, what, letters);
  }

  void node(const DrawnNode& of, const PlacedNode& placed) {
    const Rectangle& box = placed.box;
    canvas_.begin_group("node", fmt::format("{} {}", of.type, of.index));
    canvas_.rectangle(box.x, box.y, box.width, box.height, 4, node_ink);
    canvas_.text(box.x + 5, box.y + 11, node_title(of), type_letters);
    for (std::size_t s = 0; s < of.slots.size(); ++s) slot(of.slots[s], placed.slots[s]);
    if (!of.facts.empty()) canvas_.text(box.x + 5, box.bottom() - 4, of.facts, field_letters);
    canvas_.end_group();
  }

  void slot(const Slot& of, const Rectangle& place) {
    if (!of.name.empty()) canvas_.text(place.x + 2, place.y - 2, of.name, field_letters);
    const Rectangle above{place.x, place.y, place.width, line_height};
    const Rectangle below{place.x, place.y + line_height, place.width, line_height};
    switch (of.kind) {
      case Slot::Kind::Element:
        canvas_.rectangle(above.x, above.y, above.width, above.height, 0, element_ink);
        canvas_.rectangle(below.x, below.y, below.width, below.height, 0, value_ink);
        text(above, slot_text(of), cell_letters);
        if (of.leads_to < 0) text(below, of.value, cell_letters);
        else canvas_.circle(below.middle(), below.centre(), 2.5, {down_a_level.stroke});
        return;
      case Slot::Kind::Empty:
        canvas_.rectangle(place.x, place.y, place.width, place.height, 0, nothing_ink);
        text(above, slot_text(of), faint_letters);
        return;
      case Slot::Kind::Free:
        canvas_.rectangle(place.x, place.y, place.width, place.height, 0, free_ink);
        text(place, slot_text(of), faint_letters);
        return;
      case Slot::Kind::Reference:
        canvas_.rectangle(place.x, place.y, place.width, place.height, 0, value_ink);
        canvas_.circle(place.middle(), place.centre(), 2.5, {line.stroke});
        return;
      case Slot::Kind::Null:
        canvas_.rectangle(place.x, place.y, place.width, place.height, 0, value_ink);
        canvas_.line(place.x, place.bottom(), place.right(), place.y, {"none", "#33475e", 0.8});
        return;
    }
  }

  const TensorModel& model_;
  const std::string& title_;
  Placement places_;
  Canvas canvas_;
};

}  // namespace

std::string draw_tensor(const Storage& tensor, const std::string& title, std::int64_t most_boxes) {
  const TensorModel model = model_of(tensor, most_boxes);
  return Painter(model, title).run();
}

}  // namespace lacuna
