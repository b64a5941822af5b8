#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lacuna::reference {

/// A list of values for some variables, one row a binding.
class Bindings {
 public:
  /// `extents`: one a variable; every value lies below its variable's.
  explicit Bindings(std::vector<std::int64_t> extents) : extents_(std::move(extents)) {}

  std::int64_t size() const { return size_; }
  std::span<const std::int64_t> operator[](std::int64_t k) const {
    return {flat_.data() + k * static_cast<std::int64_t>(extents_.size()), extents_.size()};
  }
  void add(std::span<const std::int64_t> values) {
    flat_.insert(flat_.end(), values.begin(), values.end());
    ++size_;
  }
  /// Lexicographic order, each binding once.
  void sort_and_deduplicate();

 private:
  bool fits_one_word() const;
  void sort_words();
  void sort_rows();

  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> flat_;
  std::int64_t size_ = 0;
};

}  // namespace lacuna::reference
