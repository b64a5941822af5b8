#include "lacuna/dynamic/schema/references.h"

#include <algorithm>

namespace lacuna::schema {
std::vector<std::size_t> targets_of(const NodeSchema& schema, const ChildField& child) {
  std::vector<std::size_t> targets;
  for (std::size_t k = 0; k < schema.nodes.size(); ++k) {
    const NodeType& node = schema.nodes[k];
    const bool of_supertype = node.supertype && node.supertype->text == child.type.text;
    if (of_supertype || node.name.text == child.type.text) targets.push_back(k);
  }
  return targets;
}

std::vector<NodeSet> closure_of(const NodeSchema& schema) {
  const std::size_t count = schema.nodes.size();
  std::vector<NodeSet> reached(count, NodeSet(count));
  for (std::size_t k = 0; k < count; ++k) {
    for (const Field& field : schema.nodes[k].fields) {
      const auto* const child = std::get_if<ChildField>(&field.type);
      if (child == nullptr) continue;
      for (const std::size_t target : targets_of(schema, *child)) reached[k][target] = true;
    }
  }
  // Warshall's algorithm: after the turn of `middle`, paths may go through it.
  for (std::size_t middle = 0; middle < count; ++middle) {
    for (std::size_t from = 0; from < count; ++from) {
      if (!reached[from][middle]) continue;
      for (std::size_t to = 0; to < count; ++to) reached[from][to] = reached[from][to] || reached[middle][to];
    }
  }
  return reached;
}

std::vector<std::size_t> unreferenced(const NodeSchema& schema) {
  NodeSet referenced(schema.nodes.size());
  for (std::size_t k = 0; k < schema.nodes.size(); ++k) {
    for (const Field& field : schema.nodes[k].fields) {
      const auto* const child = std::get_if<ChildField>(&field.type);
      if (child == nullptr) continue;
      for (const std::size_t target : targets_of(schema, *child)) {
        if (target != k) referenced[target] = true;
      }
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < schema.nodes.size(); ++k) {
    if (!referenced[k]) found.push_back(k);
  }
  return found;
}

NodeSet smallest_set(const NodeSchema& schema, const Rule& rule) {
  NodeSet set(schema.nodes.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < schema.nodes.size(); ++k) {
      if (set[k] || !rule(schema.nodes[k], set)) continue;
      set[k] = true;
      changed = true;
    }
  }
  return set;
}

bool some_target_in(const NodeSchema& schema, const ChildField& child, const NodeSet& set) {
  const auto targets = targets_of(schema, child);
  return std::any_of(targets.begin(), targets.end(), [&](std::size_t target) { return set[target]; });
}

}  // namespace lacuna::schema
