#include "lacuna/draw/tensor/structures.h"

#include <algorithm>

namespace lacuna::picture {
namespace {

constexpr double padding = 5;         // between a node's border and its slots
constexpr double header = 23;         // the node's type, and the names of its fields
constexpr double footer = 13;         // what else the node keeps
constexpr double widest_line = 1200;  // what does not fit goes on in another line

double slot_width(const Slot& slot) {
  const bool reference = slot.kind == Slot::Kind::Reference || slot.kind == Slot::Kind::Null;
  const double text = std::max(width_of(slot_text(slot), cell_letters), width_of(slot.value, cell_letters)) + 8;
  return std::max({reference ? 15.0 : 20.0, text, width_of(slot.name, field_letters) + 4});
}

double slots_width(const DrawnNode& node) {
  double sum = 0;
  for (const Slot& slot : node.slots) sum += slot_width(slot);
  return sum;
}

Size size_of_node(const DrawnNode& node) {
  const double text = std::max(width_of(node_title(node), type_letters), width_of(node.facts, field_letters));
  return {2 * padding + std::max(slots_width(node), text),
          header + 2 * line_height + (node.facts.empty() ? padding : footer)};
}

}  // namespace

StructurePlacer::StructurePlacer(const TensorModel& model, Placement& placement)
    : model_(model), placement_(placement), plans_(model.levels.size()) {
  // Those below first: what hangs under an element counts.
  for (std::size_t level = model.levels.size(); level-- > 0;)
    for (const Structure& structure : model.levels[level].structures)
      plans_[level].push_back(plan_of(level, structure));
}

double StructurePlacer::root_height(std::size_t level, std::int64_t structure) const {
  const LevelModel& of = model_.levels[level];
  return size_of_node(of.nodes[of.structures[static_cast<std::size_t>(structure)].first]).height;
}

bool StructurePlacer::goes_on_below(std::size_t level) const {
  return level + 1 < model_.levels.size() && model_.levels[level + 1].dynamic;
}

/// A node that several refer to hangs on the first.
std::vector<StructurePlacer::Children> StructurePlacer::children_of(std::size_t level,
                                                                    const Structure& structure) const {
  std::vector<Children> all(structure.count);
  std::vector<bool> claimed(structure.count, false);
  claimed[0] = true;
  for (std::size_t n = 0; n < structure.count; ++n)
    for (const Slot& slot : model_.levels[level].nodes[structure.first + n].slots) {
      if (slot.kind != Slot::Kind::Reference) continue;
      const std::size_t child = static_cast<std::size_t>(slot.leads_to) - structure.first;
      if (child >= structure.count || claimed[child]) continue;
      claimed[child] = true;
      if (slot.beside && !all[n].beside) all[n].beside = child;
      else all[n].below.push_back(child);
    }
  return all;
}

/// Of the node and what is below it, without what is beside.
double StructurePlacer::core_width(const DrawnNode& node, const Plan& plan, const Children& children) {
  double below = -gap;
  for (const std::size_t child : children.below) below += plan.trees[child].width + gap;
  return std::max(size_of_node(node).width, below);
}

StructurePlacer::Plan StructurePlacer::plan_of(std::size_t level, const Structure& structure) const {
  Plan plan{children_of(level, structure), std::vector<Size>(structure.count), {}};
  // Each node stands behind the one that refers to it.
  for (std::size_t n = structure.count; n-- > 0;) {
    const DrawnNode& node = model_.levels[level].nodes[structure.first + n];
    const Children& children = plan.children[n];
    Size& tree = plan.trees[n];
    tree = {core_width(node, plan, children), size_of_node(node).height};
    double below = 0;
    for (const std::size_t child : children.below) below = std::max(below, fall + plan.trees[child].height);
    tree.height += below;
    if (!children.beside) continue;
    const Size& next = plan.trees[*children.beside];
    tree = {tree.width + gap + next.width, std::max(tree.height, next.height)};
  }
  plan.whole = plan.trees[0];
  if (!goes_on_below(level) || structure.positions.empty()) return plan;
  const Size below = lines(level + 1, structure.positions, [](std::int64_t, double, double) {});
  plan.whole = {std::max(plan.whole.width, below.width), plan.whole.height + fall + below.height};
  return plan;
}

Size StructurePlacer::lines(std::size_t level, const std::vector<std::int64_t>& structures, const Visit& visit) const {
  Size all;
  double x = 0, y = 0;
  for (const std::int64_t each : structures) {
    const Size& size = size_of(level, each);
    if (x > 0 && x + size.width > widest_line) {
      x = 0;
      y = all.height + fall;
    }
    visit(each, x, y);
    all = {std::max(all.width, x + size.width), std::max(all.height, y + size.height)};
    x += size.width + gap;
  }
  return all;
}

Rectangle StructurePlacer::put_node(std::size_t level, std::size_t node, const Rectangle& area, double core_width) {
  const DrawnNode& of = model_.levels[level].nodes[node];
  const Size size = size_of_node(of);
  PlacedNode& placed = placement_.levels[level].nodes[node];
  placed.box = {area.x + (core_width - size.width) / 2, area.y, size.width, size.height};
  double x = placed.box.middle() - slots_width(of) / 2;
  for (const Slot& slot : of.slots) {
    placed.slots.push_back({x, placed.box.y + header, slot_width(slot), 2 * line_height});
    x = placed.slots.back().right();
  }
  return placed.box;
}

void StructurePlacer::put_children(const Rectangle& area, const Rectangle& node, const Plan& plan,
                                   const Children& children, std::vector<Rectangle>& areas) const {
  double below = -gap;
  for (const std::size_t child : children.below) below += plan.trees[child].width + gap;
  double x = node.middle() - below / 2;
  for (const std::size_t child : children.below) {
    const Size& tree = plan.trees[child];
    areas[child] = {x, node.bottom() + fall, tree.width, tree.height};
    x += tree.width + gap;
  }
  if (!children.beside) return;
  const Size& next = plan.trees[*children.beside];
  areas[*children.beside] = {area.right() - next.width, area.y, next.width, next.height};
}

void StructurePlacer::put(std::size_t level, std::int64_t structure, double x, double y) {
  const Structure& of = model_.levels[level].structures[static_cast<std::size_t>(structure)];
  const Plan& plan = plans_[level][static_cast<std::size_t>(structure)];
  std::vector<Rectangle> areas(of.count);
  const Size& own = plan.trees[0];
  areas[0] = {x, y, own.width, own.height};
  for (std::size_t n = 0; n < of.count; ++n) {
    const DrawnNode& node = model_.levels[level].nodes[of.first + n];
    const Rectangle box = put_node(level, of.first + n, areas[n], core_width(node, plan, plan.children[n]));
    put_children(areas[n], box, plan, plan.children[n], areas);
  }
  if (goes_on_below(level)) put_all(level + 1, of.positions, x, y + own.height + fall);
}

Size StructurePlacer::put_all(std::size_t level, const std::vector<std::int64_t>& structures, double x, double y) {
  return lines(level, structures, [&](std::int64_t each, double dx, double dy) { put(level, each, x + dx, y + dy); });
}

}  // namespace lacuna::picture
