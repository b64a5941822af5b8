#include "lacuna/dynamic/nodes/element_walk.h"

#include <limits>

#include "lacuna/support/check.h"

namespace lacuna::nodes {

void ElementWalk::start(std::int64_t root) {
  frames_.clear();
  internal_check(root >= 0 && root < std::numeric_limits<std::uint32_t>::max(), "there is no root {}", root);
  enter(nodes_.root_type(), static_cast<std::uint32_t>(root));
}

void ElementWalk::enter(std::size_t type, std::uint32_t node) {
  if (observer_ != nullptr) observer_->enter(type, node);
  Frame& frame = frames_.emplace_back(Frame{static_cast<std::uint32_t>(type), node});
  begin_group(frame);
}

/// Counts the slots of the group that the frame is at, or of the next one that has any.
void ElementWalk::begin_group(Frame& frame) const {
  frame.slot = 0;
  frame.field = 0;
  for (; !is_done(frame); ++frame.group) {
    frame.slots = nodes_.slots_of(nodes_.plans()[frame.type].groups[frame.group], frame.node);
    if (frame.slots > 0) return;
  }
}

void ElementWalk::advance(Frame& frame, const GroupPlan& group) const {
  if (++frame.field < group.fields.size()) return;
  frame.field = 0;
  if (++frame.slot < frame.slots) return;
  ++frame.group;
  begin_group(frame);
}

bool ElementWalk::next() {
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (is_done(frame)) {
      frames_.pop_back();
      continue;
    }
    const GroupPlan& group = nodes_.plans()[frame.type].groups[frame.group];
    const FieldPlan& field = group.fields[frame.field];
    const std::int64_t slot = frame.slot;
    const std::uint32_t node = frame.node;
    advance(frame, group);
    if (!field.element) {
      follow(field, nodes_.reference(field, node, slot), is_done(frame));
      continue;
    }
    coordinate_ = nodes_.coordinate(field, node, slot, coordinate_);
    if (coordinate_ < 0 && !field.nonempty) continue;
    value_ = nodes_.value(field, node, slot);
    return true;
  }
  return false;
}

/// `last`: nothing is left to do in the node that refers, so that it need not be remembered.
void ElementWalk::follow(const FieldPlan& field, std::uint32_t reference, bool last) {
  const std::uint32_t tag = reference & ((1U << field.tag_bits) - 1);
  if (reference == schema::null_reference || tag >= field.targets.size()) {
    if (observer_ != nullptr) observer_->missing(field, reference);
    return;
  }
  if (last) frames_.pop_back();
  enter(field.targets[tag], reference >> field.tag_bits);
}

}  // namespace lacuna::nodes
