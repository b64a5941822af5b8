#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/compile/kept_memory.h"
#include "lacuna/support/owned_memory.h"
#include "lacuna/support/small_vector.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// An array whose size is known when it is made, and mostly small: then it takes no memory from the heap.
template <typename T, std::size_t few>
class FewOrMany {
 public:
  explicit FewOrMany(std::size_t size) : many_(size > few ? size : 0), size_(size) {}
  T* data() { return size_ > few ? many_.data() : few_.data(); }
  const T* data() const { return size_ > few ? many_.data() : few_.data(); }
  T& operator[](std::size_t k) { return data()[k]; }
  const T& operator[](std::size_t k) const { return data()[k]; }

 private:
  std::array<T, few> few_;  // not set: whoever makes the array does that
  std::vector<T> many_;
  std::size_t size_;
};

/// A tensor's storage as the kernel ABI describes it. Points into `storage`, which must outlive it.
class Descriptor {
 public:
  explicit Descriptor(const Storage& storage);
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  lacuna_tensor* get() { return &tensor_; }

 private:
  FewOrMany<lacuna_level, 4> levels_;
  FewOrMany<std::int32_t, 4> modes_;
  std::vector<lacuna_array> nodes_;  // of all levels, one after the other
  lacuna_tensor tensor_{};
};

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
