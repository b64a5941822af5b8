#include "lacuna/dynamic/nodes/node_checker.h"

namespace lacuna::nodes {
namespace {

void check_bounds(const schema::SizeField& size, const std::string& type, const std::string& name, std::uint32_t node,
                  std::int64_t count) {
  const std::int64_t least = size.range ? size.range->least.value : 0;
  const bool most = size.range && size.range->most;
  if (count >= least && (!most || count <= size.range->most->value)) return;
  fail_damaged("{} of {} {} is {}, which is out of its bounds", name, type, node, count);
}

}  // namespace

NodeChecker::NodeChecker(const LevelNodes& nodes) : nodes_(nodes) {
  const schema::MemoryLayout& layout = nodes.layout();
  for (std::size_t type = 0; type < layout.nodes.size(); ++type) {
    const schema::NodeLayout& each = layout.nodes[type];
    taken_.push_back(nodes.memory(each.in_use.next));
    reached_.emplace_back(static_cast<std::size_t>(taken_.back()), false);
    sizes_.push_back(sizes_of(each));
    note_given_back(type);
  }
}

void NodeChecker::enter(std::size_t type, std::uint32_t node) {
  if (node >= taken_[type])
    fail_damaged("a reference leads to {} {}, but only {} are in use", name(type), node, taken_[type]);
  if (reached_[type][node])
    fail_damaged("{} {} is reached {}", name(type), node,
                 is_given_back(type, node) ? "though it was deleted" : "twice");
  reached_[type][node] = true;
  for (const SizeCheck& each : sizes_[type]) check_size(each, type, node);
}

void NodeChecker::missing(const FieldPlan& field, std::uint32_t reference) {
  if (reference != schema::null_reference) fail_damaged("the reference {} has the tag of no node", reference);
  if (field.nonempty) fail_damaged("a reference is null that may not be");
}

std::vector<SizeCheck> NodeChecker::sizes_of(const schema::NodeLayout& of) const {
  std::vector<SizeCheck> all;
  for (const schema::Field& field : of.node->fields) {
    const auto* size = std::get_if<schema::SizeField>(&field.type);
    if (size != nullptr) all.push_back({size, nullptr, &of.record.at(field.name.text), nullptr});
  }
  for (const schema::PoolLayout& pool : nodes_.layout().pools)
    if (pool.node == of.node->name.text)
      all.push_back({nullptr, &pool, &of.record.at(pool.size), &of.record.at(pool.position)});
  return all;
}

/// Nodes that were deleted count as reached from the beginning.
void NodeChecker::note_given_back(std::size_t type) {
  const schema::NodeLayout& node = nodes_.layout().nodes[type];
  std::vector<bool>& reached = reached_[type];
  for (auto next = static_cast<std::uint32_t>(nodes_.memory(node.in_use.free)); next != 0;
       next = static_cast<std::uint32_t>(nodes_.number(type, node.link, next - 1)) + 1) {
    if (next > taken_[type])
      fail_damaged("a deleted {} leads to {} {}, which was never in use", name(type), name(type), next - 1);
    if (reached[next - 1]) fail_damaged("{} {} was deleted twice, or used when it was deleted", name(type), next - 1);
    reached[next - 1] = true;
  }
  given_back_.push_back(reached);
}

void NodeChecker::check_size(const SizeCheck& check, std::size_t type, std::uint32_t node) const {
  const std::int64_t count = nodes_.number(type, *check.count, node);
  if (check.bounds != nullptr) return check_bounds(*check.bounds, name(type), check.count->name, node, count);
  const std::int64_t at = nodes_.number(type, *check.position, node);
  if (count > 0 && at + count > nodes_.memory(check.pool->in_use.next))
    fail_damaged("the {} slots of {} {} from {} on are not all in use", count, check.pool->node, node, at);
}

}  // namespace lacuna::nodes
