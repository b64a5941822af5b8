#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/io/io.h"

namespace lacuna {

/// A file in memory of which entries are read by their numbers.
class NumberedEntries {
 public:
  struct Shape {
    std::vector<std::int64_t> dimensions;
    Type type = Type::Float64;
    std::int64_t count = 0;
    Format natural;
    bool is_array = false;  // all values of a dense tensor, numbered row-major
  };
  explicit NumberedEntries(Shape shape) : shape_(std::move(shape)) {}
  NumberedEntries(const NumberedEntries&) = delete;
  NumberedEntries& operator=(const NumberedEntries&) = delete;
  virtual ~NumberedEntries() = default;

  const Shape& shape() const { return shape_; }
  /// The entries from `first` on, `count` of them. Fails where one is wrong.
  virtual CoordinateList entries(std::int64_t first, std::int64_t count) const = 0;

 private:
  Shape shape_;
};

/// All of them.
FileContents contents_of(const NumberedEntries& file, FileFormat format);

}  // namespace lacuna
