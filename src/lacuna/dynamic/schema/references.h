#pragma once

#include <functional>
#include <vector>

#include "lacuna/dynamic/schema/schema.h"

// Which node types refer to which; nodes are counted in the order of the schema. All names must be defined.
namespace lacuna::schema {

using NodeSet = std::vector<bool>;

/// The nodes that a reference to a type may lead to: the node of that name, or all that are of the supertype.
std::vector<std::size_t> targets_of(const NodeSchema& schema, const ChildField& child);

/// For each node, those that are reached from it by following at least one reference.
std::vector<NodeSet> closure_of(const NodeSchema& schema);

/// The nodes that no other node refers to.
std::vector<std::size_t> unreferenced(const NodeSchema& schema);

/// The smallest set of nodes that the rule holds for, where the rule may ask whether the targets of a child are in the
/// set. So a rule that asks for a child of the node's own type must find its way out.
using Rule = std::function<bool(const NodeType&, const NodeSet&)>;
NodeSet smallest_set(const NodeSchema& schema, const Rule& rule);

/// Whether some node that a child may be is in the set.
bool some_target_in(const NodeSchema& schema, const ChildField& child, const NodeSet& set);

}  // namespace lacuna::schema
