#include "lacuna/tensor/array.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {
constexpr std::size_t huge_page = std::size_t{1} << 21;

/// Advice: where the system does not take it, the pages are small ones.
void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (memory != nullptr) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

void* allocate_unzeroed(std::size_t bytes) {
  if (bytes < 2 * huge_page) return std::malloc(bytes);
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
  void* memory = std::aligned_alloc(huge_page, (bytes + huge_page - 1) / huge_page * huge_page);
  ask_for_huge_pages(memory, bytes);
  return memory;
}

void* allocate_zeroed(std::size_t bytes) {
  void* memory = std::calloc(bytes, 1);
  if (memory == nullptr || bytes < 2 * huge_page || bytes > 16 * huge_page) return memory;
  // Whole pages of it.
  constexpr std::uintptr_t page = 4096;
  const auto first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto past = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  ask_for_huge_pages(reinterpret_cast<void*>(first), past - first);
  return memory;
}

OwnedMemory Array::release() {
  if (!is_sole()) return nullptr;
  data_ = nullptr;
  size_ = base_ = 0;
  return std::move(*held());
}

void Array::take_over(Type type, OwnedMemory memory, std::int64_t size) {
  type_ = type;
  data_ = memory.get();
  size_ = size;
  base_ = 0;
  if (is_sole() && *held() == nullptr) {
    *held() = std::move(memory);
    return;
  }
  owner_ = std::make_shared<OwnedMemory>(std::move(memory));
  owns_ = true;
}

OwnedMemory* Array::held() { return static_cast<OwnedMemory*>(const_cast<void*>(owner_.get())); }

Array Array::allocate(Type type, std::int64_t size, bool zeroed) {
  internal_check(size >= 0, "an array of {} elements", size);
  const auto width = static_cast<std::int64_t>(size_of(type));
  if (size > std::numeric_limits<std::int64_t>::max() / width) {
    throw RuntimeFailure(fmt::format("out of memory: an array of {} {} elements cannot exist", size, type_name(type)));
  }
  // At least one element, so that an empty array has an address and memcpy and kernels need no special case.
  const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(size, 1) * width);
  OwnedMemory memory(zeroed ? allocate_zeroed(bytes) : allocate_unzeroed(bytes));
  if (memory == nullptr) {
    throw RuntimeFailure(fmt::format("out of memory: an array of {} {} elements ({} bytes) was refused by the system",
                                     size, type_name(type), bytes));
  }
  Array array;
  array.take_over(type, std::move(memory), size);
  return array;
}

Array Array::copy() const {
  Array out = allocate(type_, size_, false);
  if (size_ > 0) std::memcpy(out.data_, data_, static_cast<std::size_t>(bytes()));
  out.base_ = base_;
  return out;
}

Array Array::borrow(Type type, const void* data, std::int64_t size, std::shared_ptr<const void> owner,
                    std::int64_t base) {
  if (size < 0) user_error("an array cannot have {} elements", size);
  if (data == nullptr && size > 0) user_error("an array of {} elements has no address", size);
  Array array;
  array.type_ = type;
  array.data_ = const_cast<void*>(data);
  array.size_ = size;
  array.base_ = base;
  array.owner_ = std::move(owner);
  return array;
}

std::int64_t Array::integer(std::int64_t i) const {
  internal_check(is_integer(type_), "an array of {} read as integers", type_name(type_));
  internal_check(i >= base_ && i - base_ < size_, "element {} of an array that holds [{}, {})", i, base_,
                 base_ + size_);
  return IntegerReader(*this)[i];
}

}  // namespace lacuna
