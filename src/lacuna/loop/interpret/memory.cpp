#include "lacuna/loop/interpret/memory.h"

#include <cstdlib>
#include <utility>

namespace lacuna::loop::interpreter {

std::size_t Memory::places() const {
  const bool is_arena = var_.type().kind == IrType::Kind::Arena;
  return static_cast<std::size_t>(is_arena ? count_ * element_bytes_ : count_);
}

void Memory::forget() {
  written_.clear();
  touches_.clear();
  forget_sorted();
}

void Memory::borrow(void* data, std::int64_t count) {
  reset();
  data_ = static_cast<std::byte*>(data);
  count_ = data ? count : 0;
}

bool Memory::allocate(std::int64_t count, bool zeroed) {
  reset();
  if (device_ != nullptr) {
    data_ = static_cast<std::byte*>(device_->allocate(count * element_bytes_, zeroed));
    count_ = count;
    owned_ = data_ != nullptr;
    return owned_;
  }
  const auto bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(element_bytes_) + 1;
  data_ = static_cast<std::byte*>(zeroed ? allocate_zeroed(bytes) : allocate_unzeroed(bytes));
  if (!data_) return false;
  count_ = count;
  owned_ = true;
  if (var_.type().is_shelf()) kept_.resize(static_cast<std::size_t>(count));
  if (!zeroed) written_.assign(places() + 1, 0);  // never empty, for that means that nothing is tracked
  return true;
}

void Memory::make_local(std::int64_t count) {
  reset();
  local_.assign(static_cast<std::size_t>(count * element_bytes_), std::byte{0});
  data_ = local_.data();
  count_ = count;
}

bool Memory::resize(std::int64_t count) {
  if (device_ != nullptr) {
    void* larger = device_->resize(data_, count_ * element_bytes_, count * element_bytes_);
    if (larger == nullptr) return false;
    data_ = static_cast<std::byte*>(larger);
    count_ = count;
    return true;
  }
  const auto bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(element_bytes_) + 1;
  void* moved = resized(data_, bytes);
  if (!moved) return false;
  data_ = static_cast<std::byte*>(moved);
  const std::size_t known = places();
  if (written_.empty()) written_.assign(known, 1);
  written_.resize(known);
  count_ = count;
  written_.resize(places() + 1, 0);
  if (!touches_.empty()) touches_.resize(places());
  forget_sorted();
  return true;
}

void Memory::reset() {
  if (owned_ && device_ != nullptr) device_->release(data_);
  else if (owned_) lacuna::give_back(data_);
  local_.clear();
  data_ = nullptr;
  count_ = 0;
  owned_ = false;
  kept_.clear();
  forget();
}

void Memory::swap_elements(Memory& other) {
  std::swap(data_, other.data_);
  std::swap(count_, other.count_);
  std::swap(owned_, other.owned_);
  std::swap(sorted_low_, other.sorted_low_);
  std::swap(sorted_high_, other.sorted_high_);
  written_.swap(other.written_);
  touches_.swap(other.touches_);
}

void Memory::keep(std::int64_t place, Memory& array) {
  auto kept = std::make_unique<Memory>(array.var_, array.element_bytes_);
  kept->swap_elements(array);
  kept_[static_cast<std::size_t>(place)] = std::move(kept);
}

void Memory::give_back(std::int64_t place, Memory& array) {
  const std::unique_ptr<Memory> kept = std::move(kept_[static_cast<std::size_t>(place)]);
  array.reset();
  array.swap_elements(*kept);
}

void* Memory::take_from_device() {
  owned_ = false;
  void* taken = data_;
  reset();
  return taken;
}

OwnedMemory Memory::take() {
  owned_ = false;
  OwnedMemory taken(data_);
  reset();
  return taken;
}

const char* Memory::touch(std::int64_t place, Access access, const IterationClock& clock) {
  if (touches_.empty()) touches_.resize(places());
  Touch& touch = touches_[static_cast<std::size_t>(place)];
  if (clock.is_concurrent(touch.write, depth_)) return "written";
  if (access != Access::Atomic && clock.is_concurrent(touch.atomic, depth_)) return "updated atomically";
  if (access != Access::Read &&
      (clock.is_concurrent(touch.read, depth_) || clock.is_concurrent(touch.other_read, depth_)))
    return "read";
  IterationClock::Stamp& mine = access == Access::Read    ? touch.read
                                : access == Access::Write ? touch.write
                                                          : touch.atomic;
  if (!clock.is_concurrent(mine, depth_)) mine = clock.now();
  else if (access == Access::Read && !clock.is_concurrent(touch.other_read, depth_)) touch.other_read = clock.now();
  return nullptr;
}

}  // namespace lacuna::loop::interpreter
