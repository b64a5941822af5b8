#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <vector>

namespace lacuna {

/// A list that grows, of which the first `few` elements take no memory from the heap. Stays where it is.
template <typename T, std::size_t few>
class SmallVector {
 public:
  SmallVector() : elements_(&memory_) { elements_.reserve(few); }
  SmallVector(const SmallVector&) = delete;
  SmallVector& operator=(const SmallVector&) = delete;

  std::pmr::vector<T>& operator*() { return elements_; }
  std::pmr::vector<T>* operator->() { return &elements_; }
  const std::pmr::vector<T>* operator->() const { return &elements_; }

 private:
  alignas(T) std::array<std::byte, few * sizeof(T)> first_;  // not set
  std::pmr::monotonic_buffer_resource memory_{first_.data(), first_.size()};
  std::pmr::vector<T> elements_;
};

}  // namespace lacuna
