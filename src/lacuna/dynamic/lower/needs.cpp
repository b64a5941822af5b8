#include <algorithm>

#include "lacuna/dynamic/lower/dynamic_level.h"
#include "lacuna/dynamic/schema/head.h"

// What callers must make room for (docs/decisions/0008-level-functions.md).
namespace lacuna::dynamic {
namespace {

Need nodes_needed(const NodeRecord& node, loop::Expr more) {
  return {node.next, node.limit, {node.arena}, std::move(more)};
}

Need slots_needed(const Pool& pool, loop::Expr more) {
  Need need{pool.next, pool.limit, {}, std::move(more)};
  for (const auto& [member, array] : pool.arrays) need.arrays.push_back(array);
  return need;
}

}  // namespace

/// The nodes and arrays that the functions may take from memory.
schema::Effects DynamicLevel::taken_by(const std::vector<std::string>& functions) const {
  schema::Effects all;
  for (const std::string& each : functions) {
    const schema::Effects& effects = find_function(program_, each)->effects;
    if (!effects.memory) continue;
    all.nodes.insert(effects.nodes.begin(), effects.nodes.end());
    all.arrays.insert(effects.arrays.begin(), effects.arrays.end());
  }
  // No function makes roots.
  all.nodes.erase(structure_.root().node->name.text);
  return all;
}

std::vector<Need> DynamicLevel::needs_of(const schema::Effects& effects, const loop::Expr& nodes,
                                         const loop::Expr& slots) const {
  std::vector<Need> needs;
  for (const NodeRecord& each : structure_.nodes)
    if (!loop::is_constant(nodes, 0) && effects.nodes.contains(each.node->name.text))
      needs.push_back(nodes_needed(each, nodes));
  for (const Pool& each : structure_.pools)
    if (effects.arrays.contains(each.node + "." + each.size)) needs.push_back(slots_needed(each, slots));
  return needs;
}

std::vector<Need> DynamicLevel::needs_of(const std::vector<std::string>& functions) const {
  std::int64_t nodes = 0;
  for (const std::string& each : functions) nodes = std::max(nodes, nodes_of(each));
  return needs_of(taken_by(functions), loop::Expr(nodes), most_slots());
}

std::vector<Need> DynamicLevel::needs_to_build(const loop::Expr& elements) const {
  return needs_of(taken_by({"build"}), elements + loop::Expr(most_nodes), loop::Expr(4) * elements);
}

std::vector<Need> DynamicLevel::needs_of_roots(const loop::Expr& more) const {
  std::vector<Need> needs{nodes_needed(structure_.root(), more)};
  if (structure_.schema.has_head)
    needs.push_back(nodes_needed(structure_.node(schema::given_root(structure_.schema).name.text), more));
  return needs;
}

}  // namespace lacuna::dynamic
