#include "lacuna/draw/tensor/slots.h"

#include <algorithm>

namespace lacuna::picture {
namespace {

constexpr double padding = 5;         // between a node's border and its slots
constexpr double header = 23;         // the node's type, and the names of its fields
constexpr double footer = 13;         // what else the node keeps
constexpr double names = 12;          // of the fields in a further line
constexpr double widest_slots = 780;  // those that do not fit continue in another line

double slot_width(const Slot& slot) {
  const bool reference = slot.kind == Slot::Kind::Reference || slot.kind == Slot::Kind::Null;
  const double text = std::max(width_of(slot_text(slot), cell_letters), width_of(slot.value, cell_letters)) + 8;
  return std::max({reference ? 15.0 : 20.0, text, width_of(slot.name, field_letters) + 4});
}

/// Lines of slots that begin below each other, their places counted from the first slot.
struct Lines {
  std::vector<Rectangle> slots;
  double width = 0;
  double height = 2 * line_height;
};

Lines lines_of(const DrawnNode& node) {
  Lines lines;
  double x = 0, y = 0;
  for (const Slot& slot : node.slots) {
    const double width = slot_width(slot);
    if (x > 0 && x + width > widest_slots) {
      x = 0;
      y += 2 * line_height + names;
    }
    lines.slots.push_back({x, y, width, 2 * line_height});
    x += width;
    lines.width = std::max(lines.width, x);
  }
  lines.height += y;
  return lines;
}

}  // namespace

Size size_of_node(const DrawnNode& node) {
  const Lines lines = lines_of(node);
  const double text = std::max(width_of(node_title(node), type_letters), width_of(node.facts, field_letters));
  return {2 * padding + std::max(lines.width, text), header + lines.height + (node.facts.empty() ? padding : footer)};
}

std::vector<Rectangle> placed_slots(const DrawnNode& node, const Rectangle& box) {
  Lines lines = lines_of(node);
  for (Rectangle& slot : lines.slots) {
    slot.x += box.middle() - lines.width / 2;
    slot.y += box.y + header;
  }
  return lines.slots;
}

}  // namespace lacuna::picture
