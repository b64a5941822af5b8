#include "lacuna/dynamic/nodes/usage.h"

#include "lacuna/support/check.h"

namespace lacuna::nodes {
namespace {

/// How many nodes were given back: a list through their link fields. It begins where the memory record says, plus 1.
std::int64_t count_given_back(const LevelNodes& nodes, std::size_t type) {
  const schema::NodeLayout& node = nodes.layout().nodes[type];
  const std::int64_t taken = nodes.memory(node.in_use.next);
  std::int64_t count = 0;
  for (auto next = static_cast<std::uint32_t>(nodes.memory(node.in_use.free)); next != 0; ++count) {
    internal_check(next <= taken && count < taken, "the {} nodes that were given back lead to {}", node.node->name.text,
                   next - 1);
    next = static_cast<std::uint32_t>(nodes.number(type, node.link, next - 1)) + 1;
  }
  return count;
}

/// The same of slots, in segments: a list for each class of lengths, through the first array that can hold positions.
std::int64_t count_given_back(const LevelNodes& nodes, const schema::PoolLayout& pool) {
  const std::int64_t taken = nodes.memory(pool.in_use.next);
  std::int64_t slots = 0;
  for (std::int64_t k = 1; k < schema::segment_classes; ++k) {
    for (auto next = static_cast<std::uint32_t>(nodes.memory(pool.in_use.free, k)); next != 0;) {
      slots += std::int64_t{1} << (k - 1);
      internal_check(next <= taken && slots <= taken, "the slots of {}.{} that were given back lead to {}", pool.node,
                     pool.size, next - 1);
      next = nodes.link(pool, next - 1);
    }
  }
  return slots;
}

}  // namespace

std::vector<Usage> usage_of(const LevelNodes& nodes) {
  const auto of = [&](std::string name, bool pool, const schema::InUse& in_use) {
    Usage usage;
    usage.name = std::move(name);
    usage.pool = pool;
    usage.taken = nodes.memory(in_use.next);
    usage.reserved = nodes.memory(in_use.limit);
    return usage;
  };
  std::vector<Usage> all;
  for (std::size_t k = 0; k < nodes.layout().nodes.size(); ++k) {
    const schema::NodeLayout& each = nodes.layout().nodes[k];
    Usage usage = of(each.node->name.text, false, each.in_use);
    usage.bytes_each = each.record.size;
    usage.given_back = count_given_back(nodes, k);
    all.push_back(std::move(usage));
  }
  for (const schema::PoolLayout& each : nodes.layout().pools) {
    Usage usage = of(each.node + "." + each.size, true, each.in_use);
    for (const auto& [name, member] : each.members) usage.bytes_each += size_of(member.slot.type);
    usage.given_back = count_given_back(nodes, each);
    all.push_back(std::move(usage));
  }
  return all;
}

}  // namespace lacuna::nodes
