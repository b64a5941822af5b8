#include "lacuna/compile/kept_memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>

namespace lacuna {
namespace {

constexpr std::size_t least = std::size_t{1} << 20;  // smaller blocks malloc keeps itself
constexpr std::size_t most_blocks = 16;

}  // namespace

KeptMemory::~KeptMemory() {
  for (const Block& block : blocks_) std::free(block.memory);
}

void* KeptMemory::take(std::size_t bytes) {
  if (bytes < least) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return block.bytes >= bytes && block.bytes <= bytes + bytes / 8 + (std::size_t{4} << 20);
  });
  if (found == blocks_.end()) return nullptr;
  void* memory = found->memory;
  blocks_.erase(found);
  return memory;
}

void KeptMemory::give(void* memory) { keep(memory, false); }
void KeptMemory::lend(void* memory) { keep(memory, true); }

void KeptMemory::free_lent() {
  const std::lock_guard lock(mutex_);
  std::erase_if(blocks_, [](const Block& block) {
    if (block.is_lent) std::free(block.memory);
    return block.is_lent;
  });
}

void KeptMemory::keep(void* memory, bool is_lent) {
  const std::size_t bytes = memory == nullptr ? 0 : malloc_usable_size(memory);
  if (bytes < least) return std::free(memory);
  const std::lock_guard lock(mutex_);
  blocks_.push_back({memory, bytes, is_lent});
  if (blocks_.size() <= most_blocks) return;
  std::free(blocks_.front().memory);
  blocks_.erase(blocks_.begin());
}

}  // namespace lacuna
