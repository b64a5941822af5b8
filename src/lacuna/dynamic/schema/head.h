#pragma once

#include "lacuna/dynamic/schema/schema.h"

namespace lacuna::schema {

/// The nodes of a level as they are stored. Where nodes may refer to nodes of the type that stands for the level, a
/// node is added in front of it, the head, which refers to it and to which no node refers. So roots lie side by side,
/// by their positions, and are told apart from all other nodes. Otherwise the schema as it is.
NodeSchema stored_nodes(const NodeSchema& written);

/// The node type that functions get as `root`. Of stored nodes.
const NodeType& given_root(const NodeSchema& stored);

/// The field by which the head refers to the root. Of stored nodes that have a head.
const Field& field_of_head(const NodeSchema& stored);

}  // namespace lacuna::schema
