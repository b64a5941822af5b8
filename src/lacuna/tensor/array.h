#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "lacuna/support/owned_memory.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// A typed, shared, immutable-when-shared run of elements. Copies share the memory. Element `i` of the logical array is
/// at data()[i - base]: a piece of a larger array keeps its global positions.
class Array {
 public:
  Array() = default;
  /// Owned memory of `size` elements, zeroed or not. Throws RuntimeFailure when there is none.
  static Array allocate(Type type, std::int64_t size, bool zeroed);
  /// Adopts memory, which is not copied: what is written to it later shows here and in what is computed later.
  /// `owner` keeps it alive (null: the caller guarantees it).
  static Array borrow(Type type, const void* data, std::int64_t size, std::shared_ptr<const void> owner,
                      std::int64_t base = 0);
  /// The same of memory that may be written to while this is its only holder; the caller keeps it.
  static Array borrow_to_write(Type type, void* data, std::int64_t size);
  template <typename T>
  static Array of(std::span<const T> values);  // a copy
  /// The same elements in memory of their own.
  Array copy() const;
  /// The same in memory that other processes of this computer may read (allocate_shared); none where the system shares
  /// none.
  std::optional<Array> shared_copy(std::size_t at) const;
  /// Where those find the elements.
  std::optional<SharedPlace> shared_place() const;
  /// Says to whoever makes the next elements in this memory that others would read them there, `at` as of shared_copy.
  void ask_to_share(std::size_t at) const;
  /// Makes it so, if somebody asked: then it is share()d.
  void share_as_asked();
  /// Makes this a shared_copy, unless the system shares no memory, or little is left of the files that it lies in.
  void share(std::size_t at);

  Type type() const { return type_; }
  std::int64_t size() const { return size_; }
  std::int64_t base() const { return base_; }
  std::int64_t bytes() const { return size_ * size_of(type_); }
  bool empty() const { return size_ == 0; }
  const void* data() const { return data_; }
  /// Whether this is the only holder of memory that was allocated, taken over or borrowed to write: then it may be
  /// written to again.
  bool is_sole() const { return (owns_ || writable_) && owner_.use_count() == 1; }
  /// The same of memory of any owner, which may not be written to.
  bool is_held_once() const { return owner_.use_count() <= 1; }
  /// Gives up the memory, if the array is_sole() and it was not borrowed: then it is empty. Else null.
  OwnedMemory release();
  /// Makes this an array of `size` elements in memory from elsewhere. Where it was released before, no other memory is
  /// asked for to own this.
  void take_over(Type type, OwnedMemory memory, std::int64_t size);
  /// Keeps something that was made of the elements, such as a copy on a device, for as long as they stay what they are:
  /// until somebody asks for mutable_data(), or the memory is given up or is another. Not of adopted memory, which
  /// others may change. Several threads may ask at once.
  void keep_beside(std::shared_ptr<void> made) const;
  std::shared_ptr<void> kept_beside() const;
  /// Says that the elements will change.
  void forget_beside();
  /// Only for the one who just allocated it.
  void* mutable_data() {
    if (owns_) forget_beside();
    return data_;
  }
  template <typename T>
  std::span<const T> view() const {
    if (type_of<T>() != type_) throw_viewed_as(type_of<T>());
    return {static_cast<const T*>(data_), static_cast<std::size_t>(size_)};
  }
  template <typename T>
  std::span<T> mutable_view() {
    if (type_of<T>() != type_) throw_viewed_as(type_of<T>());
    return {static_cast<T*>(mutable_data()), static_cast<std::size_t>(size_)};
  }
  /// The element at logical index i of an integer array (any width), for code that is not hot. Checks bounds.
  std::int64_t integer(std::int64_t i) const;
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  struct Held;
  Held* held() const;
  [[noreturn]] void throw_viewed_as(Type type) const;

  Type type_ = Type::Float64;
  void* data_ = nullptr;
  std::int64_t size_ = 0;
  std::int64_t base_ = 0;
  bool writable_ = false;  // then the owner counts the holders
  bool owns_ = false;      // then the owner is a Held, whose memory is null once it was released
  std::shared_ptr<const void> owner_;
};

template <typename T>
Array Array::of(std::span<const T> values) {
  Array a = allocate(type_of<T>(), static_cast<std::int64_t>(values.size()), false);
  for (std::size_t i = 0; i < values.size(); ++i) static_cast<T*>(a.data_)[i] = values[i];
  return a;
}

}  // namespace lacuna
