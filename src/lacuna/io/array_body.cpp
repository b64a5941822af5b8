#include "lacuna/io/array_body.h"

#include <algorithm>
#include <limits>
#include <span>

#include "lacuna/io/body_lines.h"
#include "lacuna/io/expand_symmetry.h"

namespace lacuna {
namespace {

/// How an array file numbers the values of a symmetric matrix: column by column of the lower triangle, which may be
/// without its diagonal.
class LowerTriangle {
 public:
  LowerTriangle(std::int64_t size, Symmetry symmetry)
      : size_(size), skip_(symmetry == Symmetry::SkewSymmetric ? 1 : 0) {}

  /// The number of the first value of a column.
  std::int64_t first_of(std::int64_t column) const { return column * (size_ - skip_) - column * (column - 1) / 2; }
  std::int64_t first_row(std::int64_t column) const { return column + skip_; }
  std::int64_t number(std::int64_t row, std::int64_t column) const {
    return first_of(column) + row - first_row(column);
  }
  /// The column of a value that there is.
  std::int64_t column_of(std::int64_t number) const {
    std::int64_t begin = 0, end = size_;  // the last column in it whose first value is no later
    while (end - begin > 1) {
      const std::int64_t middle = begin + (end - begin) / 2;
      (first_of(middle) <= number ? begin : end) = middle;
    }
    return begin;
  }

 private:
  std::int64_t size_, skip_;
};

/// Where an array file keeps the value of a coordinate.
class FileOrder {
 public:
  FileOrder(const std::vector<std::int64_t>& dimensions, Symmetry symmetry)
      : triangle_(dimensions[0], symmetry), symmetry_(symmetry) {
    std::int64_t stride = 1;
    for (const std::int64_t dimension : dimensions) {
      strides_.push_back(stride);
      stride *= dimension;
    }
  }

  template <typename T>
  T value(std::span<const T> values, const std::vector<std::int64_t>& at) const {
    if (symmetry_ == Symmetry::General) {
      std::int64_t index = 0;
      for (std::size_t m = 0; m < at.size(); ++m) index += at[m] * strides_[m];
      return values[static_cast<std::size_t>(index)];
    }
    const auto [column, row] = std::minmax(at[0], at[1]);
    if (row == column && symmetry_ == Symmetry::SkewSymmetric) return T{};
    const T stored = values[static_cast<std::size_t>(triangle_.number(row, column))];
    return at[0] >= at[1] ? stored : mirrored_value(stored, symmetry_);
  }

 private:
  LowerTriangle triangle_;
  Symmetry symmetry_;
  std::vector<std::int64_t> strides_;
};

std::vector<std::int64_t> row_major_coordinate(const std::vector<std::int64_t>& dimensions, std::int64_t index) {
  std::vector<std::int64_t> at(dimensions.size());
  for (std::size_t m = dimensions.size(); m-- > 0;) {
    at[m] = index % dimensions[m];
    index /= dimensions[m];
  }
  return at;
}

std::vector<std::int64_t> column_major_coordinate(const std::vector<std::int64_t>& dimensions, std::int64_t index) {
  std::vector<std::int64_t> at;
  for (const std::int64_t dimension : dimensions) {
    at.push_back(index % dimension);
    index /= dimension;
  }
  return at;
}

void advance(std::vector<std::int64_t>& at, const std::vector<std::int64_t>& dimensions) {
  for (std::size_t m = at.size(); m-- > 0;) {
    if (++at[m] < dimensions[m]) return;
    at[m] = 0;
  }
}

void store(Array& array, std::int64_t index, std::int64_t coordinate) {
  if (array.type() == Type::Int32)
    static_cast<std::int32_t*>(array.mutable_data())[index] = static_cast<std::int32_t>(coordinate);
  else static_cast<std::int64_t*>(array.mutable_data())[index] = coordinate;
}

template <typename T>
std::optional<std::int64_t> first_against(const MatrixMarketHeader& header, std::int64_t first,
                                          std::span<const T> values) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    if (header.symmetry != Symmetry::SkewSymmetric) return std::nullopt;
    const auto found = std::find(values.begin(), values.end(), std::numeric_limits<T>::min());
    if (found != values.end()) return first + (found - values.begin());
  } else if constexpr (is_complex_value<T>) {
    if (header.symmetry != Symmetry::Hermitian || values.empty()) return std::nullopt;
    const LowerTriangle triangle(header.dimensions[0], header.symmetry);
    const std::int64_t end = first + std::ssize(values);
    for (std::int64_t column = triangle.column_of(first); column < header.dimensions[0]; ++column) {
      const std::int64_t diagonal = triangle.first_of(column);
      if (diagonal >= end) break;
      if (diagonal >= first && values[static_cast<std::size_t>(diagonal - first)].imag() != 0) return diagonal;
    }
  }
  return std::nullopt;
}

template <typename T>
void spread(const MatrixMarketHeader& header, std::span<const T> values, CoordinateList& entries,
            const ReadContext& context) {
  const auto& dimensions = header.dimensions;
  const FileOrder order(dimensions, header.symmetry);
  auto* results = static_cast<T*>(entries.values.mutable_data());
  const std::int64_t size = entries.values.size();
  const std::int64_t piece = std::max<std::int64_t>(static_cast<std::int64_t>(context.block_bytes / sizeof(T)), 1);
  run_parallel(context.threads, static_cast<std::size_t>((size + piece - 1) / piece), [&](std::size_t p) {
    const std::int64_t begin = static_cast<std::int64_t>(p) * piece;
    const std::int64_t end = std::min(size, begin + piece);
    std::vector<std::int64_t> at = row_major_coordinate(dimensions, begin);
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::size_t m = 0; m < at.size(); ++m) store(entries.coordinates[m], i, at[m]);
      results[i] = order.value(values, at);
      advance(at, dimensions);
    }
  });
}

}  // namespace

CoordinateLayout array_layout(const MatrixMarketHeader& header) {
  CoordinateLayout layout;
  layout.field = header.field;
  layout.type = header.type;
  layout.type_fix = header.type_fix;
  layout.declared = header.entries;
  layout.declared_at = header.entries_at;
  return layout;
}

std::optional<std::int64_t> first_against_symmetry(const MatrixMarketHeader& header, std::int64_t first,
                                                   const Array& values) {
  return visit_type(header.type, [&](auto tag) {
    using T = decltype(tag);
    return first_against<T>(header, first, values.view<T>());
  });
}

std::string against_symmetry(const MatrixMarketHeader& header) {
  if (header.symmetry == Symmetry::Hermitian) return "the diagonal of a hermitian matrix is real";
  return "the negative of this value, its mirror, does not fit the type";
}

CoordinateList array_entries(const MatrixMarketHeader& header, std::int64_t first, const Array& values) {
  const std::int64_t size = std::clamp<std::int64_t>(header.entries - first, 0, values.size());
  CoordinateList entries;
  entries.dimensions = header.dimensions;
  for (const std::int64_t dimension : header.dimensions)
    entries.coordinates.push_back(Array::allocate(coordinate_type(dimension), size, false));
  entries.values = size == values.size() ? values : Array::borrow(values.type(), values.data(), size, values.owner());
  if (size == 0) return entries;
  if (header.symmetry == Symmetry::General) {
    std::vector<std::int64_t> at = column_major_coordinate(header.dimensions, first);
    for (std::int64_t i = 0; i < size; ++i) {
      for (std::size_t m = 0; m < at.size(); ++m) store(entries.coordinates[m], i, at[m]);
      for (std::size_t m = 0; m < at.size() && ++at[m] == header.dimensions[m]; ++m) at[m] = 0;
    }
    return entries;
  }
  const LowerTriangle triangle(header.dimensions[0], header.symmetry);
  std::int64_t column = triangle.column_of(first);
  std::int64_t row = first - triangle.first_of(column) + triangle.first_row(column);
  for (std::int64_t i = 0; i < size; ++i) {
    store(entries.coordinates[0], i, row);
    store(entries.coordinates[1], i, column);
    if (++row < header.dimensions[0]) continue;
    ++column;
    row = triangle.first_row(column);
  }
  return entries;
}

CoordinateList read_array(const Text& text, const MatrixMarketHeader& header, const ReadContext& context) {
  const Array values = read_coordinates(text, header.body, array_layout(header), context).values;
  if (const auto wrong = first_against_symmetry(header, 0, values))
    fail_at(text, line_of_entry(text, header.body, '%', *wrong), against_symmetry(header));

  // As many as the file's values or, of a triangle, about twice as many: the file has paid for them. Not so a 1 × 1
  // skew-symmetric matrix, which is one value without any in the file.
  const std::int64_t size = *stored_values(header.dimensions, Symmetry::General);
  CoordinateList entries;
  entries.dimensions = header.dimensions;
  for (const std::int64_t dimension : header.dimensions) {
    entries.coordinates.push_back(Array::allocate(coordinate_type(dimension), size, false));
  }
  entries.values = Array::allocate(header.type, size, false);
  visit_type(header.type, [&](auto tag) {
    using T = decltype(tag);
    spread<T>(header, values.view<T>(), entries, context);
  });
  return entries;
}

}  // namespace lacuna
