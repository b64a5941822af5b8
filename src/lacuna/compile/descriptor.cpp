#include "lacuna/compile/descriptor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lacuna/compile/level_kind.h"
#include "lacuna/jit/threads.h"

namespace lacuna {
namespace {

void describe(const Array& a, lacuna_array& out) {
  // Kernels write only to arrays that were just made for them; the ABI has one pointer type for both.
  out.data = const_cast<void*>(a.data());
  out.size = a.size();
  out.capacity = a.size();
  out.base = a.base();
  out.type = static_cast<std::int32_t>(a.type());
  out.flags = LACUNA_SHARED;
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

KernelMemory::~KernelMemory() {
  for (void* memory : *live_) give_back(memory);
}

lacuna_context KernelMemory::context(int threads) {
  is_shared_ = threads > 1;
  return {this, allocate, resize, release, parallel_for, threads};
}

template <typename Change>
void KernelMemory::change(const Change& change) {
  std::unique_lock<std::mutex> lock;
  if (is_shared_) lock = std::unique_lock(mutex_);
  change();
}

void KernelMemory::forget(const void* memory) {
  const auto found = std::find(live_->rbegin(), live_->rend(), memory);
  if (found == live_->rend()) return;
  *found = live_->back();
  live_->pop_back();
}

void* KernelMemory::allocate(void* state, std::size_t bytes, std::int32_t zeroed) {
  auto& self = *static_cast<KernelMemory*>(state);
  void* memory = self.kept_ != nullptr ? self.kept_->take(bytes).release() : nullptr;
  if (memory == nullptr) memory = zeroed != 0 ? allocate_zeroed(bytes) : allocate_unzeroed(bytes);
  else if (zeroed != 0) std::memset(memory, 0, bytes);
  if (memory == nullptr) return nullptr;
  self.change([&] { self.live_->push_back(memory); });
  return memory;
}

void* KernelMemory::resize(void* state, void* memory, std::size_t bytes) {
  auto& self = *static_cast<KernelMemory*>(state);
  self.change([&] { self.forget(memory); });
  void* moved = resized(memory, bytes);
  self.change([&] { self.live_->push_back(moved != nullptr ? moved : memory); });
  return moved;
}

void KernelMemory::release(void* state, void* memory) {
  auto& self = *static_cast<KernelMemory*>(state);
  self.change([&] { self.forget(memory); });
  OwnedMemory released(memory);
  if (self.kept_ != nullptr) self.kept_->give(std::move(released));
}

OwnedMemory KernelMemory::take(void* memory) {
  forget(memory);
  return OwnedMemory(memory);
}

}  // namespace lacuna
