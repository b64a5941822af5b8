#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/distribute/parts/local_part.h"

namespace lacuna {

/// Whether a region of a part can be used where it lies: all of it or, of a dense one, one stretch of its memory.
bool is_one_stretch(const std::vector<IndexSet>& part, const std::vector<IndexSet>& region, const Format& format);

/// A region of a dense part that is one stretch of its memory, or all of it, as a tensor by itself: it can be used
/// where it lies.
class DenseView {
 public:
  /// Of parts with these coordinates, by mode; none where the region is not one stretch of them, or empty.
  static std::optional<DenseView> of(const std::vector<IndexSet>& part, const std::vector<IndexSet>& region,
                                     const PartShape& shape);

  /// The region of a part with such values, whose memory it shares, until it is asked for in another one.
  const Storage& in(const Array& values);
  /// Where it begins in a part, in elements.
  std::int64_t begin() const { return begin_; }

 private:
  DenseView(Storage storage, std::int64_t begin, std::int64_t size)
      : storage_(std::move(storage)), begin_(begin), size_(size) {}

  Storage storage_;
  std::int64_t begin_, size_;
};

}  // namespace lacuna
