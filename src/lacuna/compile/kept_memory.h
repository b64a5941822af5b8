#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace lacuna {

/// Large blocks of memory that a kernel has released, for its next run, and those of a result that it makes anew:
/// getting them anew from the system would take longer than much that is done with them. Thread-safe.
class KeptMemory {
 public:
  KeptMemory() = default;
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;
  ~KeptMemory();

  /// A block of at least so many bytes and not many more, or null. It comes from malloc, with anything in it.
  void* take(std::size_t bytes);
  /// Keeps a block of malloc's, or frees it where it is small.
  void give(void* memory);
  /// The same of memory that is kept until free_lent() only, since nobody knows whether it will be asked for again.
  void lend(void* memory);
  void free_lent();

 private:
  struct Block {
    void* memory;
    std::size_t bytes;
    bool is_lent;
  };
  void keep(void* memory, bool is_lent);
  std::mutex mutex_;
  std::vector<Block> blocks_;
};

}  // namespace lacuna
