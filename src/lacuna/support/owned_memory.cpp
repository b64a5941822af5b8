#include "lacuna/support/owned_memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace lacuna {
namespace {

/// What a C allocator gives has, at its beginning, room for how far behind it the memory begins, which is written right
/// before that; with a sign where others may read it (shared_memory).
constexpr std::size_t least_offset = 16;
constexpr std::uint64_t shared_sign = std::uint64_t{1} << 63;

bool is_large(std::size_t bytes) { return bytes >= 2 * huge_page; }

/// Of large arrays, another one each time: the next ones, as the operands and results of a statement often are, differ.
std::size_t offset_for(std::size_t bytes) {
  constexpr std::size_t step = 17 * 64, steps = 60;  // in all, a sixtieth of the least that is large
  static std::atomic<std::size_t> made{0};           // decides nothing but places
  return is_large(bytes) ? 64 + step * (made.fetch_add(1, std::memory_order_relaxed) % steps) : least_offset;
}

void* behind(void* base, std::size_t offset, std::uint64_t sign = 0) {
  if (base == nullptr) return nullptr;
  const std::uint64_t written = offset | sign;
  auto* memory = static_cast<std::byte*>(base) + offset;
  std::memcpy(memory - sizeof written, &written, sizeof written);
  return memory;
}

std::uint64_t written_before(const void* memory) {
  std::uint64_t written = 0;
  std::memcpy(&written, static_cast<const std::byte*>(memory) - sizeof written, sizeof written);
  return written;
}
std::size_t offset_of(const void* memory) { return written_before(memory) & ~shared_sign; }
bool is_shared(const void* memory) { return (written_before(memory) & shared_sign) != 0; }

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

void* allocate_shared(std::size_t bytes, std::size_t at) {
  if (!may_exist(bytes)) return nullptr;
  const std::size_t page = is_large(bytes) ? huge_page : page_bytes(), rest = at % page;
  const std::size_t offset = rest < shared_header_bytes ? rest + page : rest;
  return behind(map_shared(offset, bytes), offset, shared_sign);
}

std::optional<SharedPlace> shared_place(const void* memory) {
  if (memory == nullptr || !is_shared(memory)) return std::nullopt;
  const std::size_t offset = offset_of(memory);
  SharedPlace place = shared_file(static_cast<const std::byte*>(memory) - offset);
  place.begin = offset;
  return place;
}

namespace {

void* moved_from_shared(void* memory, std::size_t bytes) {
  void* moved = allocate_unzeroed(bytes);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, memory, std::min(bytes, usable_bytes(memory)));
  give_back(memory);
  return moved;
}

}  // namespace

void* resized(void* memory, std::size_t bytes) {
  if (memory == nullptr) return allocate_unzeroed(bytes);
  if (!may_exist(bytes)) return nullptr;
  if (is_shared(memory)) return moved_from_shared(memory, bytes);
  const std::size_t offset = offset_of(memory);
  void* moved = std::realloc(static_cast<std::byte*>(memory) - offset, offset + bytes);
  return moved == nullptr ? nullptr : static_cast<std::byte*>(moved) + offset;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  std::byte* base = static_cast<std::byte*>(memory) - offset_of(memory);
  if (is_shared(memory)) unmap_shared(base);
  else std::free(base);
}

std::size_t usable_bytes(void* memory) {
  if (memory == nullptr) return 0;
  const std::size_t offset = offset_of(memory);
  std::byte* base = static_cast<std::byte*>(memory) - offset;
  return (is_shared(memory) ? shared_bytes(base) : malloc_usable_size(base)) - offset;
}

}  // namespace lacuna
