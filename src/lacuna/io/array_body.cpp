#include "lacuna/io/array_body.h"

#include <algorithm>
#include <limits>
#include <span>

#include "lacuna/io/body_lines.h"
#include "lacuna/io/expand_symmetry.h"

namespace lacuna {
namespace {

/// Where an array file keeps the value of a coordinate.
class FileOrder {
 public:
  FileOrder(const std::vector<std::int64_t>& dimensions, Symmetry symmetry)
      : size_(dimensions[0]), symmetry_(symmetry) {
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
    // Column c of the lower triangle holds size - c values, one less without the diagonal.
    const std::int64_t skip = symmetry_ == Symmetry::SkewSymmetric ? 1 : 0;
    const std::int64_t index = column * (size_ - skip) - column * (column - 1) / 2 + row - column - skip;
    const T stored = values[static_cast<std::size_t>(index)];
    return at[0] >= at[1] ? stored : mirrored_value(stored, symmetry_);
  }

 private:
  std::int64_t size_;
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
void check_symmetry(const Text& text, const MatrixMarketHeader& header, std::span<const T> values) {
  const auto fail = [&](std::int64_t index, const char* reason) {
    fail_at(text, line_of_entry(text, header.body, '%', index), reason);
  };
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    if (header.symmetry != Symmetry::SkewSymmetric) return;
    const auto found = std::find(values.begin(), values.end(), std::numeric_limits<T>::min());
    if (found != values.end())
      fail(found - values.begin(), "the negative of this value, its mirror, does not fit the type");
  } else if constexpr (is_complex_value<T>) {
    if (header.symmetry != Symmetry::Hermitian) return;
    std::int64_t index = 0;
    for (std::int64_t column = 0; column < header.dimensions[0]; ++column) {
      if (values[static_cast<std::size_t>(index)].imag() != 0)
        fail(index, "the diagonal of a hermitian matrix is real");
      index += header.dimensions[0] - column;
    }
  }
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

CoordinateList read_array(const Text& text, const MatrixMarketHeader& header, const ReadContext& context) {
  CoordinateLayout layout;
  layout.field = header.field;
  layout.type = header.type;
  layout.declared = header.entries;
  layout.declared_at = header.entries_at;
  const Array values = read_coordinates(text, header.body, layout, context).values;

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
    check_symmetry<T>(text, header, values.view<T>());
    spread<T>(header, values.view<T>(), entries, context);
  });
  return entries;
}

}  // namespace lacuna
