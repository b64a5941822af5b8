#include "lacuna/draw/tensor/structures.h"

#include <algorithm>

#include "lacuna/draw/tensor/slots.h"

// Trees are laid out from the leaves up: the size of a node with all below it is known before its parent's. A second
// pass goes down from the root and gives each node its place.
namespace lacuna::picture {
namespace {

constexpr double widest_line = 820;  // what does not fit continues in another line
constexpr double child_gap = 10;     // between children one below another
constexpr double trunk = 10;         // from a node's left edge to the line that its indented children hang on

}  // namespace

StructurePlacer::StructurePlacer(const TensorModel& model, Placement& placement)
    : model_(model), placement_(placement), plans_(model.levels.size()) {
  // Those below first: what hangs under an element counts.
  for (std::size_t level = model.levels.size(); level-- > 0;)
    for (const Structure& structure : model.levels[level].structures)
      plans_[level].push_back(plan_of(level, structure));
}

double StructurePlacer::root_height(std::size_t level, std::int64_t structure) const {
  const Plan& plan = plans_[level][static_cast<std::size_t>(structure)];
  return plan.nodes.empty() ? 0 : plan.nodes.front().height;
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
      if (slot.kind != Slot::Kind::Reference || slot.leads_to < 0) continue;
      const std::size_t child = static_cast<std::size_t>(slot.leads_to) - structure.first;
      if (child >= structure.count || claimed[child]) continue;
      claimed[child] = true;
      if (slot.beside && !all[n].beside) all[n].beside = child;
      else all[n].below.push_back(child);
      all[n].indent = std::max(all[n].indent, trunk + width_of(slot.label, field_letters) + 16);
    }
  return all;
}

/// Of the children below a node, side by side. Their own sizes are known.
double StructurePlacer::row_width(const Plan& plan, const Children& children) {
  double width = -gap;
  for (const std::size_t child : children.below) width += plan.chains[child].width + gap;
  return width;
}

/// Decides whether the children below a node stand side by side. Their own sizes are known.
void StructurePlacer::arrange(Plan& plan, std::size_t node) const {
  Children& children = plan.children[node];
  children.indented = children.below.size() > 1 && row_width(plan, children) > widest_line;
}

Size StructurePlacer::tree_size(const Plan& plan, std::size_t node) const {
  const Children& children = plan.children[node];
  Size tree = plan.nodes[node];
  if (children.indented) {
    for (const std::size_t child : children.below) {
      tree.width = std::max(tree.width, children.indent + plan.chains[child].width);
      tree.height += child_gap + plan.chains[child].height;
    }
    return tree;
  }
  double below = 0;
  for (const std::size_t child : children.below) below = std::max(below, fall + plan.chains[child].height);
  return {std::max(tree.width, row_width(plan, children)), tree.height + below};
}

std::vector<std::size_t> StructurePlacer::chain_of(const Plan& plan, std::size_t node) {
  std::vector<std::size_t> chain{node};
  while (plan.children[chain.back()].beside) chain.push_back(*plan.children[chain.back()].beside);
  return chain;
}

StructurePlacer::Plan StructurePlacer::plan_of(std::size_t level, const Structure& structure) const {
  Plan plan;
  plan.level = level;
  plan.first = structure.first;
  if (structure.count == 0) return plan;
  plan.children = children_of(level, structure);
  plan.trees.resize(structure.count);
  plan.chains.resize(structure.count);
  std::vector<bool> continues(structure.count, false);  // a node beside another one: part of that one's chain
  for (std::size_t n = 0; n < structure.count; ++n) {
    plan.nodes.push_back(size_of_node(model_.levels[level].nodes[structure.first + n]));
    if (plan.children[n].beside) continues[*plan.children[n].beside] = true;
  }
  // Each node stands behind the one that refers to it.
  for (std::size_t n = structure.count; n-- > 0;) {
    arrange(plan, n);
    plan.trees[n] = tree_size(plan, n);
    if (continues[n]) continue;
    std::vector<Size> chain;
    for (const std::size_t link : chain_of(plan, n)) chain.push_back(plan.trees[link]);
    plan.chains[n] = lines(chain, [](std::size_t, double, double) {});
  }
  plan.whole = plan.chains[0];
  if (!goes_on_below(level) || structure.positions.empty()) return plan;
  const Size below = lines(sizes_of(level + 1, structure.positions), [](std::size_t, double, double) {});
  if (below.height > 0) plan.whole = {std::max(plan.whole.width, below.width), plan.whole.height + fall + below.height};
  return plan;
}

std::vector<Size> StructurePlacer::sizes_of(std::size_t level, const std::vector<std::int64_t>& structures) const {
  std::vector<Size> sizes;
  for (const std::int64_t each : structures)
    sizes.push_back(each < std::ssize(plans_[level]) ? size_of(level, each) : Size{});
  return sizes;
}

Size StructurePlacer::lines(const std::vector<Size>& items, const Visit& visit) {
  Size all;
  double x = 0, y = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const Size& size = items[k];
    if (size.height == 0) continue;
    if (x > 0 && x + size.width > widest_line) {
      x = 0;
      y = all.height + fall;
    }
    visit(k, x, y);
    all = {std::max(all.width, x + size.width), std::max(all.height, y + size.height)};
    x += size.width + gap;
  }
  return all;
}

void StructurePlacer::put_node(const Plan& plan, std::size_t node, double x, double y) {
  const DrawnNode& of = model_.levels[plan.level].nodes[plan.first + node];
  PlacedNode& placed = placement_.levels[plan.level].nodes[plan.first + node];
  placed.box = {x, y, plan.nodes[node].width, plan.nodes[node].height};
  placed.slots = placed_slots(of, placed.box);
}

void StructurePlacer::put_tree(const Plan& plan, std::size_t node, double x, double y) {
  const Children& children = plan.children[node];
  const Size& own = plan.nodes[node];
  if (children.indented) {
    put_node(plan, node, x, y);
    y += own.height;
    for (const std::size_t child : children.below) {
      y += child_gap;
      put_chain(plan, child, x + children.indent, y);
      placement_.levels[plan.level].nodes[plan.first + child].trunk = x + trunk;
      y += plan.chains[child].height;
    }
    return;
  }
  put_node(plan, node, x + (plan.trees[node].width - own.width) / 2, y);
  double below = x + (plan.trees[node].width - row_width(plan, children)) / 2;
  for (const std::size_t child : children.below) {
    put_chain(plan, child, below, y + own.height + fall);
    below += plan.chains[child].width + gap;
  }
}

void StructurePlacer::put_chain(const Plan& plan, std::size_t node, double x, double y) {
  const std::vector<std::size_t> chain = chain_of(plan, node);
  std::vector<Size> sizes;
  for (const std::size_t link : chain) sizes.push_back(plan.trees[link]);
  lines(sizes, [&](std::size_t k, double dx, double dy) { put_tree(plan, chain[k], x + dx, y + dy); });
}

void StructurePlacer::put(std::size_t level, std::int64_t structure, double x, double y) {
  const Structure& of = model_.levels[level].structures[static_cast<std::size_t>(structure)];
  const Plan& plan = plans_[level][static_cast<std::size_t>(structure)];
  if (of.count == 0) return;
  put_chain(plan, 0, x, y);
  if (goes_on_below(level)) put_all(level + 1, of.positions, x, y + plan.chains[0].height + fall);
}

Size StructurePlacer::put_all(std::size_t level, const std::vector<std::int64_t>& structures, double x, double y) {
  return lines(sizes_of(level, structures),
               [&](std::size_t k, double dx, double dy) { put(level, structures[k], x + dx, y + dy); });
}

}  // namespace lacuna::picture
