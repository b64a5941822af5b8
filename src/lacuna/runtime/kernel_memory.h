#pragma once

#include <cstddef>
#include <mutex>

#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/runtime/kept_memory.h"
#include "lacuna/support/owned_memory.h"
#include "lacuna/support/small_vector.h"

namespace lacuna {

/// The allocator that kernels use. Frees what a kernel left behind, unless it is taken.
class KernelMemory {
 public:
  /// `kept`: where large blocks come from and go to, if anywhere.
  explicit KernelMemory(KeptMemory* kept = nullptr) : kept_(kept) {}
  KernelMemory(const KernelMemory&) = delete;
  KernelMemory& operator=(const KernelMemory&) = delete;
  ~KernelMemory();
  lacuna_context context(int threads);
  /// Gives up ownership of memory that a kernel returned; null stays null.
  OwnedMemory take(void* memory);

 private:
  template <typename Change>
  void change(const Change& change);
  static void* allocate(void* state, std::size_t bytes, std::int32_t zeroed);
  static void* resize(void* state, void* memory, std::size_t bytes);
  static void release(void* state, void* memory);
  void forget(const void* memory);
  KeptMemory* kept_;
  std::mutex mutex_;
  bool is_shared_ = false;       // a parallel kernel allocates from several threads
  SmallVector<void*, 16> live_;  // the newest last, which is mostly released first
};

}  // namespace lacuna
