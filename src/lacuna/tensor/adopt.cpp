#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/entries.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/validate_chain.h"

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

constexpr std::string_view add_up_fix = "CoordinateOrder::Sort makes a copy in which the values of those are added up";
constexpr std::string_view order_fix =
    "CoordinateOrder::Unordered takes them as they are, and CoordinateOrder::Sort makes a sorted copy";
constexpr std::string_view coo_fix =
    "CoordinateOrder::Unordered takes them as they are where none repeats, and CoordinateOrder::Sort makes a sorted "
    "copy, in which the values of those that repeat are added up";

/// What is wrong with a row whose coordinates do not ascend, if there is one. Rows that positions do not delimit are
/// left to validate().
std::optional<std::string> find_descent(const Storage& matrix, const char* rows) {
  const LevelStorage& level = matrix.levels[1];
  return visit_integer_type(level.crd.type(), [&](auto zero) -> std::optional<std::string> {
    const auto crd = level.crd.view<decltype(zero)>();
    const IntegerReader pos(level.pos);
    const std::int64_t base = level.crd.base();
    for (std::int64_t r = 0; r < matrix.levels[0].extent; ++r) {
      const std::int64_t begin = pos[r] - base, end = pos[r + 1] - base;
      if (begin < 0 || end > std::ssize(crd)) return std::nullopt;
      for (std::int64_t p = begin + 1; p < end; ++p) {
        const auto before = crd[static_cast<std::size_t>(p - 1)], here = crd[static_cast<std::size_t>(p)];
        if (before < here || std::cmp_less(here, 0)) continue;  // negative ones are left to validate(), too
        const bool repeats = before == here;
        return fmt::format("coordinates {} and {} at positions {} and {} of {} {} {}; {}", before, here, base + p - 1,
                           base + p, rows, r, repeats ? "repeat" : "descend", repeats ? add_up_fix : order_fix);
      }
    }
    return std::nullopt;
  });
}

/// A matrix whose arrays are in place, with coordinates as `order` says.
Storage in_order(Storage matrix, const Format& format, CoordinateOrder order) {
  const bool row_major = format.map().is_identity();
  const char* const name = row_major ? "CSR matrix" : "CSC matrix";
  const bool as_found = order == CoordinateOrder::AsFound;
  if (order == CoordinateOrder::Ascending || as_found) {
    const auto descent = find_descent(matrix, row_major ? "row" : "column");
    if (descent && !as_found) throw Error(*descent);
    matrix.format = format;
    if (!descent) {
      validate(matrix, name);
      return matrix;
    }
  }
  matrix.format = Format({format.level(0), LevelFormat::compressed(false, false)}, format.map());
  validate(matrix, name);
  if (order == CoordinateOrder::Sort) return build(coordinates_of(matrix), format);
  const Format repeating = matrix.format;
  matrix.format = Format({format.level(0), LevelFormat::compressed(false, true)}, format.map());
  const auto repeated = check_unique(matrix, 1);
  if (!repeated) return matrix;
  if (!as_found) user_error("{}: {}; {}", name, *repeated, add_up_fix);
  matrix.format = repeating;
  return build(coordinates_of(matrix), format);
}

/// A matrix whose outer level has `outer` dense coordinates. crd and values may be longer than what pos covers.
Storage adopt_compressed_rows(const Format& format, std::int64_t outer, std::int64_t inner, Array pos, Array crd,
                              Array values, CoordinateOrder order) {
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
  return in_order(std::move(storage), format, order);
}

/// That of a coordinate tensor; `unique`: no coordinate repeats.
Format coordinate_format(int order, bool ordered, bool unique) {
  std::vector<LevelFormat> levels;
  for (int k = 0; k < order; ++k) {
    const bool last = unique && k + 1 == order;
    levels.push_back(k == 0 ? LevelFormat::compressed(ordered, last) : LevelFormat::singleton(ordered, last));
  }
  return Format(levels);
}

}  // namespace

Storage adopt_csr(std::int64_t rows, std::int64_t columns, Array pos, Array crd, Array values, CoordinateOrder order) {
  return adopt_compressed_rows(csr_format(), rows, columns, std::move(pos), std::move(crd), std::move(values), order);
}

Storage adopt_csc(std::int64_t rows, std::int64_t columns, Array pos, Array crd, Array values, CoordinateOrder order) {
  return adopt_compressed_rows(csc_format(), columns, rows, std::move(pos), std::move(crd), std::move(values), order);
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
  for (std::size_t k = 0; k < order; ++k) {
    check_integers(coordinates[k], fmt::format("coordinate array {}", k));
    if (coordinates[k].size() != values.size()) {
      user_error("coordinate array {} has {} elements, but there are {} values", k, coordinates[k].size(),
                 values.size());
    }
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
  storage.format = coordinate_format(static_cast<int>(order), ordered, unique);
  storage.dimensions = std::move(dimensions);
  if (!trusted) validate(storage, "coordinate tensor");
  return storage;
}

Storage adopt_coo(std::vector<std::int64_t> dimensions, const std::vector<Array>& coordinates, const Array& values,
                  CoordinateOrder order) {
  const auto modes = static_cast<int>(dimensions.size());
  Storage tensor = adopt_coo(std::move(dimensions), coordinates, values, false, false);
  if (modes == 0) return tensor;
  if (order == CoordinateOrder::Sort) return build(coordinates_of(tensor), coo_format(modes));
  const bool as_found = order == CoordinateOrder::AsFound;
  const Format repeating = tensor.format;
  const auto fault_of = [&](bool ascends) {
    tensor.format = coordinate_format(modes, ascends, true);
    return check_chain(tensor, 0);
  };
  const bool ascends = order == CoordinateOrder::Ascending || as_found;
  auto fault = fault_of(ascends);
  if (fault && as_found) fault = fault_of(false);
  if (!fault) return tensor;
  if (!as_found)
    user_error("coordinate {}: {}; {}", modes == 2 ? "matrix" : "tensor", *fault, ascends ? coo_fix : add_up_fix);
  tensor.format = repeating;
  return build(coordinates_of(tensor), coo_format(modes));
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
