#include "lacuna/runtime/kernel_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lacuna/jit/threads.h"

namespace lacuna {

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
