#include "lacuna/tensor/nodes/usage.h"

#include "lacuna/tensor/nodes/level_nodes.h"

namespace lacuna::nodes {

std::vector<Usage> usage_of(const Storage& tensor, int level) {
  const LevelNodes nodes(tensor, level);
  std::vector<Usage> all;
  for (const schema::NodeLayout& each : nodes.layout().nodes)
    all.push_back(
        {each.node->name.text, nodes.memory(each.in_use.next), nodes.memory(each.in_use.limit), each.record.size});
  for (const schema::PoolLayout& each : nodes.layout().pools) {
    Usage pool{each.node + "." + each.size, nodes.memory(each.in_use.next), nodes.memory(each.in_use.limit), 0};
    for (const auto& [name, member] : each.members) pool.bytes_each += size_of(member.slot.type);
    all.push_back(std::move(pool));
  }
  return all;
}

}  // namespace lacuna::nodes
