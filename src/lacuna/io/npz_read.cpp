#include "lacuna/io/npz_read.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/ranges.h>

#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/npy_read.h"
#include "lacuna/io/zip_archive.h"

namespace lacuna {
namespace {

/// Some of an array.
Array slice_of(const Array& array, std::int64_t first, std::int64_t count) {
  const auto* begin = static_cast<const char*>(array.data()) + first * size_of(array.type());
  return Array::borrow(array.type(), begin, count, array.owner());
}

/// The arrays of an archive, by their names.
class Arrays {
 public:
  explicit Arrays(const Text& text) : text_(text), archive_(text) {}

  bool has(const std::string& name) const { return archive_.has(name + ".npy"); }
  /// The letters of an array that is a single text.
  std::string read_text(const std::string& name) const {
    const std::string bytes = contents(name);
    const Text text = named(name, bytes);
    const NpyHeader header = read_npy_header(text);
    std::string letters;
    for (const char c : bytes.substr(header.body))
      if (c != '\0') letters += c;  // one byte a letter, or four with three zeros
    return letters;
  }
  Array read_vector(const std::string& name) const {
    const std::string bytes = contents(name);
    return read_npy_vector(named(name, bytes), name);
  }
  /// One of integers.
  Array read_integers(const std::string& name) const {
    const Array array = read_vector(name);
    if (!is_integer(array.type()) || array.type() == Type::Bool)
      fail_in(text_, fmt::format("{} has elements of type {}, not integers", name, type_name(array.type())));
    return array;
  }
  /// An array of two dimensions, a row for each mode of a tensor.
  CoordinateList read_rows(const std::string& name) const {
    const std::string bytes = contents(name);
    const auto array = read_npy(named(name, bytes));
    if (array->shape().dimensions.size() != 2 || !is_integer(array->shape().type))
      fail_in(text_, fmt::format("{} should have a row of integers for each mode", name));
    return array->entries(0, array->shape().count);
  }
  std::vector<std::string> names() const { return archive_.names(); }

 private:
  std::string contents(const std::string& name) const {
    if (!has(name)) fail_in(text_, fmt::format("the archive lacks {}.npy, which save_npz writes", name));
    return archive_.read(name + ".npy");
  }
  Text named(const std::string& name, std::string_view bytes) const {
    return {fmt::format("{}: {}.npy", text_.name, name), bytes};
  }

  const Text& text_;
  ZipArchive archive_;
};

/// Coordinates from 0 as they are in lists; fails for one that is outside.
Array checked_coordinates(const Text& text, const Array& given, std::int64_t size, const char* what) {
  Array column = Array::allocate(coordinate_type(size), given.size(), false);
  for (std::int64_t e = 0; e < given.size(); ++e) {
    const std::int64_t c = given.integer(e);
    if (c < 0 || c >= size) fail_in(text, fmt::format("{} {} of entry {} is outside 0…{}", what, c, e, size - 1));
    if (column.type() == Type::Int32)
      static_cast<std::int32_t*>(column.mutable_data())[e] = static_cast<std::int32_t>(c);
    else static_cast<std::int64_t*>(column.mutable_data())[e] = c;
  }
  return column;
}

/// Entries with a coordinate for each mode.
class ListedEntries final : public NumberedEntries {
 public:
  ListedEntries(Shape shape, std::vector<Array> columns, Array values)
      : NumberedEntries(std::move(shape)), columns_(std::move(columns)), values_(std::move(values)) {}

  CoordinateList entries(std::int64_t first, std::int64_t count) const override {
    CoordinateList list;
    list.dimensions = shape().dimensions;
    for (const Array& column : columns_) list.coordinates.push_back(slice_of(column, first, count));
    list.values = slice_of(values_, first, count);
    return list;
  }

 private:
  std::vector<Array> columns_;
  Array values_;
};

/// Entries of rows, one row after the other (or of columns).
class CompressedEntries final : public NumberedEntries {
 public:
  /// `outer`: the mode that is compressed.
  CompressedEntries(Shape shape, std::size_t outer, Array positions, Array inner, Array values)
      : NumberedEntries(std::move(shape)),
        outer_(outer),
        positions_(std::move(positions)),
        inner_(std::move(inner)),
        values_(std::move(values)) {}

  CoordinateList entries(std::int64_t first, std::int64_t count) const override {
    CoordinateList list;
    list.dimensions = shape().dimensions;
    list.coordinates.resize(2);
    list.coordinates[1 - outer_] = slice_of(inner_, first, count);
    list.coordinates[outer_] = outer_coordinates(first, count);
    list.values = slice_of(values_, first, count);
    return list;
  }

 private:
  Array outer_coordinates(std::int64_t first, std::int64_t count) const {
    Array column = Array::allocate(coordinate_type(shape().dimensions[outer_]), count, false);
    if (count == 0) return column;
    std::int64_t row = 0, end = shape().dimensions[outer_];  // the last row that begins no later than the first entry
    while (end - row > 1) {
      const std::int64_t middle = row + (end - row) / 2;
      (positions_.integer(middle) <= first ? row : end) = middle;
    }
    for (std::int64_t e = 0; e < count; ++e) {
      while (positions_.integer(row + 1) <= first + e) ++row;
      if (column.type() == Type::Int32)
        static_cast<std::int32_t*>(column.mutable_data())[e] = static_cast<std::int32_t>(row);
      else static_cast<std::int64_t*>(column.mutable_data())[e] = row;
    }
    return column;
  }

  std::size_t outer_;
  Array positions_, inner_, values_;
};

void check_positions(const Text& text, const Array& positions, std::int64_t rows, std::int64_t entries) {
  if (positions.size() - 1 != rows)
    fail_in(text, fmt::format("indptr has {} positions, but should have one more than {}", positions.size(), rows));
  if (positions.integer(0) != 0) fail_in(text, fmt::format("indptr begins with {}, not 0", positions.integer(0)));
  for (std::int64_t r = 0; r < rows; ++r) {
    if (positions.integer(r + 1) < positions.integer(r))
      fail_in(text, fmt::format("indptr falls from {} to {}", positions.integer(r), positions.integer(r + 1)));
  }
  if (positions.integer(rows) != entries)
    fail_in(text, fmt::format("indptr ends with {}, but there are {} entries", positions.integer(rows), entries));
}

void check_as_many(const Text& text, const Array& given, const Array& values, const std::string& name) {
  if (given.size() == values.size()) return;
  fail_in(text, fmt::format("{} has {} elements, but data has {}", name, given.size(), values.size()));
}

std::unique_ptr<const NumberedEntries> read_compressed(const Text& text, const Arrays& arrays,
                                                       NumberedEntries::Shape shape, std::size_t outer, Array values) {
  const Array inner = arrays.read_integers("indices");
  check_as_many(text, inner, values, "indices");
  Array positions = arrays.read_integers("indptr");
  check_positions(text, positions, shape.dimensions[outer], values.size());
  shape.natural = outer == 0 ? csr_format() : csc_format();
  Array checked = checked_coordinates(text, inner, shape.dimensions[1 - outer], outer == 0 ? "column" : "row");
  return std::make_unique<const CompressedEntries>(std::move(shape), outer, std::move(positions), std::move(checked),
                                                   std::move(values));
}

/// The columns of coordinates of a coo archive: two arrays of a matrix, or one with a row for each mode.
std::vector<Array> read_columns(const Text& text, const Arrays& arrays, std::size_t order, const Array& values) {
  if (!arrays.has("coords")) {
    if (order != 2) fail_in(text, "the archive lacks coords.npy, which save_npz writes");
    return {arrays.read_integers("row"), arrays.read_integers("col")};
  }
  const CoordinateList rows = arrays.read_rows("coords");
  if (rows.dimensions[0] != static_cast<std::int64_t>(order) || rows.dimensions[1] != values.size())
    fail_in(text, fmt::format("coords has {} x {} elements, but there are {} modes and {} entries", rows.dimensions[0],
                              rows.dimensions[1], order, values.size()));
  std::vector<Array> columns;
  for (std::size_t m = 0; m < order; ++m)
    columns.push_back(slice_of(rows.values, static_cast<std::int64_t>(m) * values.size(), values.size()));
  return columns;
}

std::unique_ptr<const NumberedEntries> read_listed(const Text& text, const Arrays& arrays, NumberedEntries::Shape shape,
                                                   Array values) {
  const std::size_t order = shape.dimensions.size();
  std::vector<Array> columns = read_columns(text, arrays, order, values);
  for (std::size_t m = 0; m < order; ++m) {
    check_as_many(text, columns[m], values, fmt::format("the coordinates of mode {}", m + 1));
    columns[m] = checked_coordinates(text, columns[m], shape.dimensions[m], "coordinate");
  }
  shape.natural = coo_format(static_cast<int>(order));
  return std::make_unique<const ListedEntries>(std::move(shape), std::move(columns), std::move(values));
}

NumberedEntries::Shape read_shape(const Text& text, const Arrays& arrays, const Array& values) {
  NumberedEntries::Shape shape;
  const Array sizes = arrays.read_integers("shape");
  if (sizes.size() < 1 || sizes.size() > static_cast<std::int64_t>(most_modes))
    fail_in(text, fmt::format("shape has {} sizes: 1 to {} are possible", sizes.size(), most_modes));
  for (std::int64_t m = 0; m < sizes.size(); ++m) {
    if (sizes.integer(m) < 0) fail_in(text, fmt::format("a size cannot be {}", sizes.integer(m)));
    shape.dimensions.push_back(sizes.integer(m));
  }
  shape.type = values.type();
  shape.count = values.size();
  return shape;
}

}  // namespace

std::unique_ptr<const NumberedEntries> read_npz(const Text& text) {
  const Arrays arrays(text);
  if (!arrays.has("format"))
    fail_in(text, fmt::format("the archive holds no sparse matrix as scipy.sparse.save_npz writes it, but {}; a dense "
                              "array can be saved as .npy",
                              fmt::join(arrays.names(), ", ")));
  const std::string format = arrays.read_text("format");
  if (format != "csr" && format != "csc" && format != "coo")
    fail_in(text, fmt::format("SciPy's format {} cannot be read; csr, csc and coo can (in Python: save_npz(file, "
                              "matrix.tocsr()))",
                              lacuna::quoted(format)));
  Array values = arrays.read_vector("data");
  NumberedEntries::Shape shape = read_shape(text, arrays, values);
  if (format == "coo") return read_listed(text, arrays, std::move(shape), std::move(values));
  if (shape.dimensions.size() != 2)
    fail_in(text,
            fmt::format("a tensor of {} dimensions cannot be of SciPy's format {}", shape.dimensions.size(), format));
  return read_compressed(text, arrays, std::move(shape), format == "csr" ? 0 : 1, std::move(values));
}

}  // namespace lacuna
