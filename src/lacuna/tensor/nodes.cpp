#include "lacuna/tensor/nodes.h"

#include "lacuna/dynamic/code/load.h"
#include "lacuna/format/dynamic.h"

namespace lacuna::nodes {

schema::MemoryLayout layout_of(const Storage& tensor, int level) {
  const LevelFormat& format = tensor.format.level(level);
  const std::int64_t dimension = tensor.dimensions[static_cast<std::size_t>(tensor.format.map().mode_of(level))];
  return {format.definition->nodes,
          schema::element_types(tensor.format, level, coordinate_type(dimension), tensor.type)};
}

NodeArrays arrays_of(const Storage& tensor, int level) {
  NodeArrays memory{layout_of(tensor, level), {}};
  for (const Array& each : tensor.levels[static_cast<std::size_t>(level)].nodes)
    memory.arrays.emplace_back(static_cast<const std::byte*>(each.data()), static_cast<std::size_t>(each.bytes()));
  return memory;
}

std::vector<Usage> usage_of(const Storage& tensor, int level) { return usage_of(LevelNodes(arrays_of(tensor, level))); }

}  // namespace lacuna::nodes
