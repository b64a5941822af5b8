#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "lacuna/support/owned_memory.h"

namespace lacuna {

/// Large blocks of memory that a kernel has released, for its next run, and those of a result that it makes anew:
/// getting them anew from the system would take longer than much that is done with them. Thread-safe.
class KeptMemory {
 public:
  KeptMemory() = default;
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;

  /// A block of at least so many bytes and not many more, or null, with anything in it.
  OwnedMemory take(std::size_t bytes);
  /// Keeps a block, or frees it where it is small.
  void give(OwnedMemory memory) { keep(std::move(memory), false); }
  /// The same of memory that is kept until free_lent() only, since nobody knows whether it will be asked for again.
  void lend(OwnedMemory memory) { keep(std::move(memory), true); }
  void free_lent();

 private:
  struct Block {
    OwnedMemory memory;
    std::size_t bytes;
    bool is_lent;
  };
  void keep(OwnedMemory memory, bool is_lent);

  std::mutex mutex_;
  std::vector<Block> blocks_;
};

}  // namespace lacuna
