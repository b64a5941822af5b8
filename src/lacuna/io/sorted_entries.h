#pragma once

#include <cstdint>

#include "lacuna/support/check.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// The stored entries (zeros among them), in lexicographic order of their coordinates.
CoordinateList sorted_entries(const Storage& tensor);

/// Reads coordinates of either width.
class CoordinateColumn {
 public:
  explicit CoordinateColumn(const Array& array)
      : narrow_(array.type() == Type::Int32 ? static_cast<const std::int32_t*>(array.data()) : nullptr),
        wide_(array.type() == Type::Int32 ? nullptr : static_cast<const std::int64_t*>(array.data())) {
    internal_check(array.type() == Type::Int32 || array.type() == Type::Int64, "coordinates of type {}",
                   type_name(array.type()));
  }
  std::int64_t operator[](std::int64_t i) const { return narrow_ != nullptr ? narrow_[i] : wide_[i]; }

 private:
  const std::int32_t* narrow_;
  const std::int64_t* wide_;
};

}  // namespace lacuna
