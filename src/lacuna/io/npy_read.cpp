#include "lacuna/io/npy_read.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/core.h>

namespace lacuna {
namespace {

/// Puts elements into the byte order of this machine, and makes bools 0 or 1.
void make_native(Array& values, const NpyType& type) {
  auto* bytes = static_cast<unsigned char*>(values.mutable_data());
  const std::int64_t size = values.bytes();
  if (type.type == Type::Bool)
    std::transform(bytes, bytes + size, bytes, [](unsigned char b) { return static_cast<unsigned char>(b != 0); });
  if (!type.swapped) return;
  const std::int64_t width = size_of(type.type) / (is_complex(type.type) ? 2 : 1);
  for (std::int64_t at = 0; at < size; at += width) std::reverse(bytes + at, bytes + at + width);
}

class NpyEntries final : public NumberedEntries {
 public:
  NpyEntries(const Text& text, NpyHeader header, NpyType type)
      : NumberedEntries(
            Shape{header.shape, type.type, header.count, dense_format(static_cast<int>(header.shape.size())), true}),
        data_(text.bytes.substr(header.body)),
        header_(std::move(header)),
        type_(type) {
    std::int64_t stride = 1;
    for (const std::int64_t size : header_.shape) {
      strides_.push_back(stride);
      stride *= header_.count == 0 ? 1 : size;
    }
  }

  CoordinateList entries(std::int64_t first, std::int64_t count) const override {
    CoordinateList list;
    list.dimensions = header_.shape;
    fill_coordinates(list, first, count);
    list.values = Array::allocate(type_.type, count, false);
    copy_values(static_cast<char*>(list.values.mutable_data()), first, count);
    make_native(list.values, type_);
    return list;
  }

 private:
  /// Calls f(k) for each element with its coordinate in `at`.
  template <typename F>
  void for_each(std::int64_t first, std::int64_t count, std::vector<std::int64_t>& at, F f) const {
    at.assign(header_.shape.size(), 0);
    std::int64_t index = first;
    for (std::size_t m = at.size(); m-- > 0 && count > 0;) {
      at[m] = index % header_.shape[m];
      index /= header_.shape[m];
    }
    for (std::int64_t k = 0; k < count; ++k) {
      f(k);
      for (std::size_t m = at.size(); m-- > 0 && ++at[m] == header_.shape[m];) at[m] = 0;
    }
  }
  void fill_coordinates(CoordinateList& list, std::int64_t first, std::int64_t count) const {
    std::vector<std::int32_t*> narrow;
    std::vector<std::int64_t*> wide;
    for (const std::int64_t size : header_.shape) {
      Array column = Array::allocate(coordinate_type(size), count, false);
      const bool is_narrow = column.type() == Type::Int32;
      narrow.push_back(is_narrow ? static_cast<std::int32_t*>(column.mutable_data()) : nullptr);
      wide.push_back(is_narrow ? nullptr : static_cast<std::int64_t*>(column.mutable_data()));
      list.coordinates.push_back(std::move(column));
    }
    std::vector<std::int64_t> at;
    for_each(first, count, at, [&](std::int64_t k) {
      for (std::size_t m = 0; m < at.size(); ++m) {
        if (narrow[m] != nullptr) narrow[m][k] = static_cast<std::int32_t>(at[m]);
        else wide[m][k] = at[m];
      }
    });
  }
  void copy_values(char* to, std::int64_t first, std::int64_t count) const {
    const auto width = static_cast<std::size_t>(size_of(type_.type));
    if (count == 0) return;
    if (!header_.fortran_order) {
      std::memcpy(to, data_.data() + static_cast<std::size_t>(first) * width, static_cast<std::size_t>(count) * width);
      return;
    }
    std::vector<std::int64_t> at;
    for_each(first, count, at, [&](std::int64_t k) {
      std::int64_t from = 0;
      for (std::size_t m = 0; m < at.size(); ++m) from += at[m] * strides_[m];
      std::memcpy(to + static_cast<std::size_t>(k) * width, data_.data() + static_cast<std::size_t>(from) * width,
                  width);
    });
  }

  std::string_view data_;
  NpyHeader header_;
  NpyType type_;
  std::vector<std::int64_t> strides_;  // of Fortran's order
};

}  // namespace

NpyType checked_npy_type(const Text& text, const NpyHeader& header) {
  const std::optional<NpyType> type = parse_npy_type(header.descr);
  if (!type)
    fail_in(text, fmt::format("elements of NumPy's type {} cannot be read; bool, integers, float32, float64, complex64 "
                              "and complex128 can (in Python: a.astype('float64'))",
                              lacuna::quoted(header.descr)));
  const std::size_t bytes = text.bytes.size() - header.body;
  const auto width = static_cast<std::size_t>(size_of(type->type));
  if (bytes / width != static_cast<std::size_t>(header.count) || bytes % width != 0)
    fail_in(text, fmt::format("its {} elements of {} bytes should follow the header, but {} bytes do: is it cut off?",
                              header.count, width, bytes));
  return *type;
}

std::unique_ptr<const NumberedEntries> read_npy(const Text& text) {
  NpyHeader header = read_npy_header(text);
  const NpyType type = checked_npy_type(text, header);
  return std::make_unique<const NpyEntries>(text, std::move(header), type);
}

Array read_npy_vector(const Text& text, const std::string& what) {
  const NpyHeader header = read_npy_header(text);
  const NpyType type = checked_npy_type(text, header);
  if (header.shape.size() != 1)
    fail_in(text, fmt::format("{} should have one dimension, not {}", what, header.shape.size()));
  Array values = Array::allocate(type.type, header.count, false);
  if (header.count > 0)
    std::memcpy(values.mutable_data(), text.bytes.data() + header.body, static_cast<std::size_t>(values.bytes()));
  make_native(values, type);
  return values;
}

}  // namespace lacuna
