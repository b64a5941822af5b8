#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A tensor's storage as the kernel ABI describes it. Points into `storage`, which must outlive it.
class Descriptor {
 public:
  explicit Descriptor(const Storage& storage);
  lacuna_tensor* get() { return &tensor_; }

 private:
  std::vector<lacuna_level> levels_;
  std::vector<std::int32_t> modes_;
  lacuna_tensor tensor_{};
};

/// The allocator that kernels use. Frees what a kernel left behind, unless it is taken.
class KernelMemory {
 public:
  KernelMemory() = default;
  KernelMemory(const KernelMemory&) = delete;
  KernelMemory& operator=(const KernelMemory&) = delete;
  ~KernelMemory();
  lacuna_context context(int threads);
  /// Gives up ownership of memory that a kernel returned; null stays null.
  std::shared_ptr<void> take(void* memory);

 private:
  static void* allocate(void* state, std::size_t bytes, std::int32_t zeroed);
  static void* resize(void* state, void* memory, std::size_t bytes);
  static void release(void* state, void* memory);
  std::mutex mutex_;  // a parallel kernel allocates from several threads
  std::unordered_set<void*> live_;
};

}  // namespace lacuna
