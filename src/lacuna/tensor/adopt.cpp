#include <string>
#include <utility>
#include <vector>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

void check_integers(const Array& array, const std::string& what) {
  if (is_integer(array.type()) && array.type() != Type::Bool) return;
  user_error("{} is {}; it must be of an integer type", what, type_name(array.type()));
}

/// Elements [begin, end) by logical index, still numbered as they were.
Array slice(const Array& array, std::int64_t begin, std::int64_t end) {
  const std::int64_t offset = (begin - array.base()) * size_of(array.type());
  return Array::borrow(array.type(), static_cast<const unsigned char*>(array.data()) + offset, end - begin,
                       array.owner(), begin);
}

/// A matrix whose outer level has `outer` dense coordinates. crd and values may be longer than what pos covers.
Storage adopt_compressed_rows(const Format& format, std::int64_t outer, std::int64_t inner, Array pos, Array crd,
                              Array values, bool trusted) {
  const bool row_major = format.map().is_identity();
  const std::vector<std::int64_t> dimensions =
      row_major ? std::vector<std::int64_t>{outer, inner} : std::vector<std::int64_t>{inner, outer};
  check_dimensions(dimensions, 2);
  check_integers(pos, "pos");
  check_integers(crd, "crd");
  if (pos.size() - 1 != outer) {
    user_error("pos has {} elements, but {} {} need {}", pos.size(), outer, row_major ? "rows" : "columns", outer + 1);
  }
  pos = rebased(pos);
  const std::int64_t begin = pos.integer(0);
  const std::int64_t end = pos.integer(outer);
  for (const Array* array : {&crd, &values}) {
    if (begin < array->base() || end < begin || end - array->base() > array->size()) {
      user_error("pos covers [{}, {}), but {} holds [{}, {})", begin, end, array == &crd ? "crd" : "values",
                 array->base(), array->base() + array->size());
    }
  }
  Storage storage;
  storage.format = format;
  storage.type = values.type();
  storage.dimensions = dimensions;
  storage.fill = Scalar::zero(values.type());
  storage.levels.resize(2);
  storage.levels[0].extent = storage.levels[0].positions = outer;
  storage.levels[1].extent = inner;
  storage.levels[1].positions = end - begin;
  storage.levels[1].pos = std::move(pos);
  storage.levels[1].crd = slice(crd, begin, end);
  storage.values = slice(values, begin, end);
  if (!trusted) validate(storage, row_major ? "CSR matrix" : "CSC matrix");
  return storage;
}

}  // namespace

Storage adopt_csr(std::int64_t rows, std::int64_t columns, Array pos, Array crd, Array values, bool trusted) {
  return adopt_compressed_rows(csr_format(), rows, columns, std::move(pos), std::move(crd), std::move(values), trusted);
}

Storage adopt_csc(std::int64_t rows, std::int64_t columns, Array pos, Array crd, Array values, bool trusted) {
  return adopt_compressed_rows(csc_format(), columns, rows, std::move(pos), std::move(crd), std::move(values), trusted);
}

Storage adopt_coo(std::vector<std::int64_t> dimensions, const std::vector<Array>& coordinates, const Array& values,
                  bool ordered, bool unique, bool trusted) {
  const std::size_t order = dimensions.size();
  check_dimensions(dimensions, static_cast<int>(coordinates.size()));
  if (order == 0) return adopt_dense({}, values, LevelMap());
  Storage storage;
  storage.type = values.type();
  storage.fill = Scalar::zero(values.type());
  storage.values = rebased(values);
  std::vector<LevelFormat> levels;
  for (std::size_t k = 0; k < order; ++k) {
    check_integers(coordinates[k], fmt::format("coordinate array {}", k));
    if (coordinates[k].size() != values.size()) {
      user_error("coordinate array {} has {} elements, but there are {} values", k, coordinates[k].size(),
                 values.size());
    }
    levels.push_back({k == 0 ? LevelKind::Compressed : LevelKind::Singleton, ordered, unique && k + 1 == order});
    LevelStorage level;
    level.extent = dimensions[k];
    level.positions = values.size();
    level.crd = rebased(coordinates[k]);
    storage.levels.push_back(std::move(level));
  }
  const std::int64_t ends[] = {0, values.size()};
  Array pos = Array::allocate(position_type(values.size()), 2, false);
  for (std::size_t p = 0; p < 2; ++p) {
    if (pos.type() == Type::Int32) pos.mutable_view<std::int32_t>()[p] = static_cast<std::int32_t>(ends[p]);
    else pos.mutable_view<std::int64_t>()[p] = ends[p];
  }
  storage.levels[0].pos = std::move(pos);
  storage.format = Format(levels);
  storage.dimensions = std::move(dimensions);
  if (!trusted) validate(storage, "coordinate tensor");
  return storage;
}

Storage adopt_dense(std::vector<std::int64_t> dimensions, const Array& values, const LevelMap& map) {
  check_dimensions(dimensions, static_cast<int>(dimensions.size()));
  Storage storage;
  storage.type = values.type();
  storage.fill = Scalar::zero(values.type());
  storage.values = rebased(values);
  const std::vector<LevelFormat> levels(dimensions.size());
  storage.format = Format(levels, map);
  std::int64_t positions = 1;
  for (int k = 0; k < storage.order(); ++k) {
    LevelStorage level;
    level.extent = dimensions[static_cast<std::size_t>(map.mode_of(k))];
    level.positions = positions = multiply_sizes(positions, level.extent, "a dense tensor");
    storage.levels.push_back(std::move(level));
  }
  if (values.size() != positions)
    user_error("a dense tensor of {} positions given {} values", positions, values.size());
  storage.dimensions = std::move(dimensions);
  return storage;
}

}  // namespace lacuna
