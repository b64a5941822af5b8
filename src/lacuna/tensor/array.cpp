#include "lacuna/tensor/array.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "lacuna/support/check.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

/// What arrays share that have the same memory.
struct Array::Held {
  explicit Held(OwnedMemory owned) : memory(std::move(owned)) {}

  static constexpr std::int64_t nowhere = -1, refused = -2;
  OwnedMemory memory;
  std::atomic<std::int64_t> asked_at{nowhere};  // ask_to_share
  std::atomic<bool> has_beside{false};
  std::mutex mutex;
  std::shared_ptr<void> beside;  // under the mutex
};

void Array::keep_beside(std::shared_ptr<void> made) const {
  if (!owns_) return;
  const std::scoped_lock lock(held()->mutex);
  std::swap(held()->beside, made);
  held()->has_beside = held()->beside != nullptr;
}

std::shared_ptr<void> Array::kept_beside() const {
  if (!owns_ || !held()->has_beside) return nullptr;
  const std::scoped_lock lock(held()->mutex);
  return held()->beside;
}

void Array::forget_beside() {
  if (owns_ && held()->has_beside) keep_beside(nullptr);
}

OwnedMemory Array::release() {
  if (!owns_ || !is_sole()) return nullptr;
  forget_beside();
  data_ = nullptr;
  size_ = base_ = 0;
  return std::move(held()->memory);
}

void Array::take_over(Type type, OwnedMemory memory, std::int64_t size) {
  type_ = type;
  data_ = memory.get();
  size_ = size;
  base_ = 0;
  if (owns_ && is_sole() && held()->memory == nullptr) {
    held()->memory = std::move(memory);
    return;
  }
  owner_ = std::make_shared<Held>(std::move(memory));
  owns_ = true;
  writable_ = false;
}

Array::Held* Array::held() const { return static_cast<Held*>(const_cast<void*>(owner_.get())); }

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

std::optional<Array> Array::shared_copy(std::size_t at) const {
  OwnedMemory memory(allocate_shared(static_cast<std::size_t>(bytes()), at));
  if (memory == nullptr) return std::nullopt;
  if (size_ > 0) std::memcpy(memory.get(), data_, static_cast<std::size_t>(bytes()));
  Array out;
  out.take_over(type_, std::move(memory), size_);
  out.base_ = base_;
  return out;
}

std::optional<SharedPlace> Array::shared_place() const {
  return owns_ ? lacuna::shared_place(held()->memory.get()) : std::nullopt;
}

void Array::ask_to_share(std::size_t at) const {
  std::int64_t before = Held::nowhere;
  if (owns_) held()->asked_at.compare_exchange_strong(before, static_cast<std::int64_t>(at), std::memory_order_relaxed);
}

void Array::share_as_asked() {
  if (!owns_) return;
  const std::int64_t at = held()->asked_at.load(std::memory_order_relaxed);
  if (at < 0) return;
  held()->asked_at.store(Held::refused, std::memory_order_relaxed);  // unless there is other memory now
  share(static_cast<std::size_t>(at));
}

void Array::share(std::size_t at) {
  std::optional<Array> shared = shared_copy(at);
  if (shared && !are_files_scarce(*shared->shared_place())) *this = std::move(*shared);
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

Array Array::borrow_to_write(Type type, void* data, std::int64_t size) {
  Array array = borrow(type, data, size, std::make_shared<char>());
  array.writable_ = true;
  return array;
}

void Array::throw_viewed_as(Type type) const {
  throw InternalError(fmt::format("internal error: an array of {} viewed as {}", type_name(type_), type_name(type)));
}

std::int64_t Array::integer(std::int64_t i) const {
  internal_check(is_integer(type_), "an array of {} read as integers", type_name(type_));
  internal_check(i >= base_ && i - base_ < size_, "element {} of an array that holds [{}, {})", i, base_,
                 base_ + size_);
  return IntegerReader(*this)[i];
}

}  // namespace lacuna
