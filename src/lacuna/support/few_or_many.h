#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace lacuna {

/// An array whose size is known when it is made, and mostly small: then it takes no memory from the heap.
template <typename T, std::size_t few>
class FewOrMany {
 public:
  explicit FewOrMany(std::size_t size) : many_(size > few ? size : 0), size_(size) {}
  T* data() { return size_ > few ? many_.data() : few_.data(); }
  const T* data() const { return size_ > few ? many_.data() : few_.data(); }
  T& operator[](std::size_t k) { return data()[k]; }
  const T& operator[](std::size_t k) const { return data()[k]; }

 private:
  std::array<T, few> few_;  // not set: whoever makes the array does that
  std::vector<T> many_;
  std::size_t size_;
};

}  // namespace lacuna
