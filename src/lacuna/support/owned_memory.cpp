#include "lacuna/support/owned_memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace lacuna {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21;

/// What a C allocator gives has, at its beginning, room for how far behind it the memory begins, which is written right
/// before that.
constexpr std::size_t least_offset = 16;

bool is_large(std::size_t bytes) { return bytes >= 2 * huge_page; }

/// Of large arrays, another one each time: the next ones, as the operands and results of a statement often are, differ.
std::size_t offset_for(std::size_t bytes) {
  constexpr std::size_t step = 17 * 64, steps = 60;  // in all, a sixtieth of the least that is large
  static std::atomic<std::size_t> made{0};           // decides nothing but places
  return is_large(bytes) ? 64 + step * (made.fetch_add(1, std::memory_order_relaxed) % steps) : least_offset;
}

void* behind(void* base, std::size_t offset) {
  if (base == nullptr) return nullptr;
  const std::uint64_t written = offset;
  auto* memory = static_cast<std::byte*>(base) + offset;
  std::memcpy(memory - sizeof written, &written, sizeof written);
  return memory;
}

std::size_t offset_of(const void* memory) {
  std::uint64_t offset = 0;
  std::memcpy(&offset, static_cast<const std::byte*>(memory) - sizeof offset, sizeof offset);
  return offset;
}

/// Advice, for whole pages: where the system does not take it, these are small ones.
void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t page = 4096;
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto past = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  (void)madvise(reinterpret_cast<void*>(first), past - first, MADV_HUGEPAGE);
#endif
}

/// Whether so much may be asked for, with what is asked for beside it.
bool may_exist(std::size_t bytes) { return bytes <= std::numeric_limits<std::size_t>::max() / 2; }

}  // namespace

void* allocate_unzeroed(std::size_t bytes) {
  if (!may_exist(bytes)) return nullptr;
  const std::size_t offset = offset_for(bytes), all = offset + bytes;
  if (!is_large(bytes)) return behind(std::malloc(all), offset);
  void* base = std::aligned_alloc(huge_page, (all + huge_page - 1) / huge_page * huge_page);
  if (base != nullptr) ask_for_huge_pages(base, all);
  return behind(base, offset);
}

void* allocate_zeroed(std::size_t bytes) {
  if (!may_exist(bytes)) return nullptr;
  const std::size_t offset = offset_for(bytes), all = offset + bytes;
  void* base = std::calloc(all, 1);
  if (base != nullptr && is_large(bytes) && bytes <= 16 * huge_page) ask_for_huge_pages(base, all);
  return behind(base, offset);
}

void* resized(void* memory, std::size_t bytes) {
  if (memory == nullptr) return allocate_unzeroed(bytes);
  if (!may_exist(bytes)) return nullptr;
  const std::size_t offset = offset_of(memory);
  void* moved = std::realloc(static_cast<std::byte*>(memory) - offset, offset + bytes);
  return moved == nullptr ? nullptr : static_cast<std::byte*>(moved) + offset;
}

void give_back(void* memory) {
  if (memory != nullptr) std::free(static_cast<std::byte*>(memory) - offset_of(memory));
}

std::size_t usable_bytes(void* memory) {
  if (memory == nullptr) return 0;
  const std::size_t offset = offset_of(memory);
  return malloc_usable_size(static_cast<std::byte*>(memory) - offset) - offset;
}

}  // namespace lacuna
