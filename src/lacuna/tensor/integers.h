#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "lacuna/support/check.h"
#include "lacuna/support/type.h"
#include "lacuna/tensor/array.h"

namespace lacuna {

/// Calls `f` with a value-initialised object of the C++ integer type of `type` (Bool and real types are refused).
template <typename F>
decltype(auto) visit_integer_type(Type type, F&& f) {
  switch (type) {
    case Type::Int8: return std::forward<F>(f)(std::int8_t{});
    case Type::Int16: return std::forward<F>(f)(std::int16_t{});
    case Type::Int32: return std::forward<F>(f)(std::int32_t{});
    case Type::Int64: return std::forward<F>(f)(std::int64_t{});
    case Type::UInt8: return std::forward<F>(f)(std::uint8_t{});
    case Type::UInt16: return std::forward<F>(f)(std::uint16_t{});
    case Type::UInt32: return std::forward<F>(f)(std::uint32_t{});
    case Type::UInt64: return std::forward<F>(f)(std::uint64_t{});
    default: throw InternalError("internal error: positions or coordinates that are not integers");
  }
}

/// Calls `f` with a span of the elements of an Int32 or Int64 array, the two widths that Lacuna makes itself.
template <typename F>
decltype(auto) with_coordinates(const Array& array, F&& f) {
  if (array.type() == Type::Int32) return std::forward<F>(f)(array.view<std::int32_t>());
  return std::forward<F>(f)(array.view<std::int64_t>());
}
template <typename F>
decltype(auto) with_mutable_coordinates(Array& array, F&& f) {
  if (array.type() == Type::Int32) return std::forward<F>(f)(array.mutable_view<std::int32_t>());
  return std::forward<F>(f)(array.mutable_view<std::int64_t>());
}

/// Reads an integer array of any width by logical index, without bounds checks; the array must outlive the reader.
/// A UInt64 beyond Int64 reads as negative, which validate() refuses.
class IntegerReader {
 public:
  explicit IntegerReader(const Array& array) : type_(array.type()), data_(array.data()), base_(array.base()) {}

  std::int64_t operator[](std::int64_t i) const {
    const std::int64_t k = i - base_;
    switch (type_) {
      case Type::Bool:
      case Type::UInt8: return static_cast<const std::uint8_t*>(data_)[k];
      case Type::Int8: return static_cast<const std::int8_t*>(data_)[k];
      case Type::Int16: return static_cast<const std::int16_t*>(data_)[k];
      case Type::UInt16: return static_cast<const std::uint16_t*>(data_)[k];
      case Type::Int32: return static_cast<const std::int32_t*>(data_)[k];
      case Type::UInt32: return static_cast<const std::uint32_t*>(data_)[k];
      case Type::Int64: return static_cast<const std::int64_t*>(data_)[k];
      case Type::UInt64: return static_cast<std::int64_t>(static_cast<const std::uint64_t*>(data_)[k]);
      default: throw InternalError("internal error: positions or coordinates that are not integers");
    }
  }

 private:
  Type type_;
  const void* data_;
  std::int64_t base_;
};

/// The same elements, numbered from 0.
inline Array rebased(const Array& array) {
  return array.base() == 0 ? array : Array::borrow(array.type(), array.data(), array.size(), array.owner());
}

/// The largest number of positions that a level may span: far above any memory, far below overflow.
inline constexpr std::int64_t largest_span = std::int64_t{1} << 62;

/// a*b for sizes (non-negative). Throws Error naming `what` when the product passes `largest_span`.
inline std::int64_t multiply_sizes(std::int64_t a, std::int64_t b, const char* what) {
  if (a != 0 && b > largest_span / a) user_error("{} would span {} x {} positions, more than 2^62", what, a, b);
  return a * b;
}

/// Int32 where positions up to `last` fit, else Int64.
inline Type position_type(std::int64_t last) { return last <= 0x7fffffff ? Type::Int32 : Type::Int64; }

}  // namespace lacuna
