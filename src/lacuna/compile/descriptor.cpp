#include "lacuna/compile/descriptor.h"

#include <cstdlib>

namespace lacuna {
namespace {

lacuna_array describe(const Array& a) {
  // Kernels write only to arrays that were just made for them; the ABI has one pointer type for both.
  return {const_cast<void*>(a.data()),         a.size(),     a.size(), a.base(),
          static_cast<std::int32_t>(a.type()), LACUNA_SHARED};
}

std::int32_t number_of(LevelKind kind) {
  switch (kind) {
    case LevelKind::Dense: return LACUNA_DENSE;
    case LevelKind::Compressed: return LACUNA_COMPRESSED;
    case LevelKind::Singleton: return LACUNA_SINGLETON;
    case LevelKind::Bitmap: return LACUNA_BITMAP;
    case LevelKind::Hashed: return LACUNA_HASHED;
  }
  return LACUNA_DENSE;
}

}  // namespace

Descriptor::Descriptor(const Storage& storage)
    : modes_(storage.format.map().modes().begin(), storage.format.map().modes().end()) {
  for (int k = 0; k < storage.order(); ++k) {
    const LevelStorage& l = storage.levels[static_cast<std::size_t>(k)];
    lacuna_level level{};
    level.kind = number_of(storage.format.level(k).kind);
    level.origin = l.origin;
    level.extent = l.extent;
    level.positions = l.positions;
    level.pos = describe(l.pos);
    level.crd = describe(l.crd);
    level.present = describe(l.present);
    levels_.push_back(level);
  }
  tensor_ = {LACUNA_ABI_VERSION,
             storage.order(),
             static_cast<std::int32_t>(storage.type),
             0,
             storage.dimensions.data(),
             modes_.data(),
             levels_.data(),
             describe(storage.values)};
}

KernelMemory::~KernelMemory() {
  for (void* memory : live_) std::free(memory);
}

lacuna_context KernelMemory::context(int threads) { return {this, allocate, resize, release, threads, 0}; }

void* KernelMemory::allocate(void* state, std::size_t bytes, std::int32_t zeroed) {
  void* memory = zeroed != 0 ? std::calloc(bytes, 1) : allocate_unzeroed(bytes);
  auto& self = *static_cast<KernelMemory*>(state);
  const std::scoped_lock lock(self.mutex_);
  if (memory != nullptr) self.live_.insert(memory);
  return memory;
}

void* KernelMemory::resize(void* state, void* memory, std::size_t bytes) {
  auto& self = *static_cast<KernelMemory*>(state);
  {
    const std::scoped_lock lock(self.mutex_);
    self.live_.erase(memory);
  }
  void* moved = std::realloc(memory, bytes);
  const std::scoped_lock lock(self.mutex_);
  self.live_.insert(moved != nullptr ? moved : memory);
  return moved;
}

void KernelMemory::release(void* state, void* memory) {
  auto& self = *static_cast<KernelMemory*>(state);
  {
    const std::scoped_lock lock(self.mutex_);
    self.live_.erase(memory);
  }
  std::free(memory);
}

std::shared_ptr<void> KernelMemory::take(void* memory) {
  live_.erase(memory);
  return {memory, std::free};
}

}  // namespace lacuna
