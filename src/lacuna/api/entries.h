#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// One stored entry of a tensor: `for (const auto& [coordinates, value] : A)`.
template <typename T>
struct Entry {
  std::vector<std::int64_t> coordinates;  // by mode
  T value{};
};

/// Walks over the entries that a tensor stored when the walk began, in storage order.
template <typename T>
class EntryIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Entry<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = const Entry<T>*;
  using reference = const Entry<T>&;

  explicit EntryIterator(const Storage& storage)
      : entries_(std::make_shared<const CoordinateList>(coordinates_of(storage))) {
    load();
  }

  const Entry<T>& operator*() const { return entry_; }
  const Entry<T>* operator->() const { return &entry_; }
  EntryIterator& operator++() {
    ++at_;
    load();
    return *this;
  }
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const { return at_ >= entries_->size(); }

 private:
  void load() {
    if (at_ >= entries_->size()) return;
    entry_.coordinates.clear();
    for (const Array& mode : entries_->coordinates) entry_.coordinates.push_back(mode.integer(at_));
    entry_.value = entries_->values.template view<T>()[static_cast<std::size_t>(at_)];
  }

  std::shared_ptr<const CoordinateList> entries_;
  std::int64_t at_ = 0;
  Entry<T> entry_;
};

}  // namespace lacuna
