#include "lacuna/runtime/descriptor.h"

#include "lacuna/runtime/level_kind.h"

namespace lacuna {
namespace {

void describe(const Array& a, lacuna_array& out) {
  // Kernels write only to arrays that were just made for them; the ABI has one pointer type for both.
  out.data = const_cast<void*>(a.data());
  out.size = a.size();
  out.base = a.base();
  out.type = static_cast<std::int32_t>(a.type());
  out.space = LACUNA_HOST;
}

}  // namespace

Descriptor::Descriptor(const Storage& storage) : levels_(storage.levels.size()), modes_(storage.levels.size()) {
  std::size_t arrays = 0;
  for (const LevelStorage& l : storage.levels) arrays += l.nodes.size();
  nodes_.resize(arrays);
  std::size_t next = 0;
  for (int k = 0; k < storage.order(); ++k) {
    const LevelStorage& l = storage.levels[static_cast<std::size_t>(k)];
    lacuna_level& level = levels_[static_cast<std::size_t>(k)];
    level.nodes = l.nodes.empty() ? nullptr : &nodes_[next];
    level.node_arrays = std::ssize(l.nodes);
    for (const Array& array : l.nodes) describe(array, nodes_[next++]);
    level.kind = level_kind_of_abi(storage.format.level(k).kind).number;
    level.origin = l.origin;
    level.extent = l.extent;
    level.positions = l.positions;
    describe(l.pos, level.pos);
    describe(l.crd, level.crd);
    describe(l.present, level.present);
    modes_[static_cast<std::size_t>(k)] = storage.format.map().mode_of(k);
  }
  tensor_.version = LACUNA_ABI_VERSION;
  tensor_.order = storage.order();
  tensor_.type = static_cast<std::int32_t>(storage.type);
  tensor_.dimensions = storage.dimensions.data();
  tensor_.mode_of_level = modes_.data();
  tensor_.levels = levels_.data();
  describe(storage.values, tensor_.vals);
}

}  // namespace lacuna
