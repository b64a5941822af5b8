#include "lacuna/runtime/kept_memory.h"

#include <algorithm>

namespace lacuna {
namespace {

constexpr std::size_t least = std::size_t{1} << 20;  // smaller blocks malloc keeps itself
constexpr std::size_t most_blocks = 16;

}  // namespace

OwnedMemory KeptMemory::take(std::size_t bytes) {
  if (bytes < least) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return block.bytes >= bytes && block.bytes <= bytes + bytes / 8 + (std::size_t{4} << 20);
  });
  if (found == blocks_.end()) return nullptr;
  OwnedMemory memory = std::move(found->memory);
  blocks_.erase(found);
  return memory;
}

void KeptMemory::free_lent() {
  const std::lock_guard lock(mutex_);
  std::erase_if(blocks_, [](const Block& block) { return block.is_lent; });
}

void KeptMemory::keep(OwnedMemory memory, bool is_lent) {
  const std::size_t bytes = usable_bytes(memory.get());
  if (bytes < least) return;
  const std::lock_guard lock(mutex_);
  blocks_.push_back({std::move(memory), bytes, is_lent});
  if (blocks_.size() > most_blocks) blocks_.erase(blocks_.begin());
}

}  // namespace lacuna
