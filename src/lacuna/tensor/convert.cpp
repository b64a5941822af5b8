#include "lacuna/tensor/convert.h"

#include <utility>

#include "lacuna/support/check.h"
#include "lacuna/tensor/build_entries.h"
#include "lacuna/tensor/convert_outer_level.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/pack_rows.h"
#include "lacuna/tensor/reorder_dense.h"

namespace lacuna {

namespace {

/// Arrays made under `have` keep every promise of `want`: same kinds and modes, and no promise added.
bool is_promised(const Format& have, const Format& want) {
  if (have.order() != want.order() || !(have.map() == want.map())) return false;
  for (int k = 0; k < have.order(); ++k) {
    const LevelFormat& a = have.level(k);
    const LevelFormat& b = want.level(k);
    if (a.kind != b.kind || (a.is_dynamic() && !(a == b)) || (b.ordered && !a.ordered) || (b.unique && !a.unique))
      return false;
    // A level that may repeat has one position an entry; one that may not, one a distinct coordinate.
    if (a.unique != b.unique && k + 1 < have.order()) return false;
  }
  return true;
}

/// Every stored coordinate is there once, and comes in the order of the levels.
bool is_sorted(const Format& format) {
  for (int k = 0; k < format.order(); ++k) {
    const LevelFormat& level = format.level(k);
    if (level.hashes() || !level.ordered) return false;
  }
  // A level that may repeat is told apart by the chain below it.
  return format.order() == 0 || format.level(format.order() - 1).unique;
}

/// The same columns by the levels of another format; the list must be a tensor's, so that all is in range.
Entries reordered(const CoordinateList& list, const Format& format) {
  Entries entries{{}, {}, list.values, format.map()};
  for (int k = 0; k < format.order(); ++k) {
    const auto mode = static_cast<std::size_t>(format.map().mode_of(k));
    entries.extents.push_back(list.dimensions[mode]);
    entries.columns.push_back(list.coordinates[mode]);
  }
  return entries;
}

Storage through_coordinates(const Storage& tensor, const Format& format, int threads) {
  const bool keep_zeros = !tensor.format.is_dense() || format.is_dense();
  Entries entries = reordered(coordinates_of(tensor, keep_zeros, threads), format);
  const bool sorted = is_sorted(tensor.format);
  const bool same_order = tensor.format.map() == format.map();
  if (!sorted || !same_order) {
    if (is_packed(entries, format) && sortedness(entries.columns) == Sortedness::Unsorted) {
      return pack_rows(entries, tensor.dimensions, format, {Duplicates::Sum, tensor.fill, threads, sorted});
    }
    sort_and_coalesce(entries, Duplicates::Sum, threads);
  }
  return build_entries(entries, tensor.dimensions, format, tensor.fill, threads);
}

}  // namespace

Storage convert(const Storage& tensor, const Format& format, int threads) {
  if (format.order() != tensor.order()) {
    user_error("a tensor of order {} cannot be stored as {}, a format of order {}", tensor.order(), format.to_string(),
               format.order());
  }
  if (is_promised(tensor.format, format)) {
    Storage same = tensor;
    same.format = format;
    return same;
  }
  if (auto fast = convert_outer_level(tensor, format, threads)) return std::move(*fast);
  if (auto fast = reorder_dense(tensor, format, threads)) return std::move(*fast);
  if (auto fast = transpose_rows(tensor, format, threads)) return std::move(*fast);
  return through_coordinates(tensor, format, threads);
}

Storage convert_type(const Storage& tensor, Type type) {
  if (type == tensor.type) return tensor;
  if (tensor.format.has_values_in_nodes())
    user_error("values in the nodes of {} stay {}; convert it to a format of arrays first, such as {}",
               tensor.format.to_string(), type_name(tensor.type), array_format_of(tensor.format).to_string());
  Storage result = tensor;
  result.type = type;
  result.fill = tensor.fill.convert(type);
  Array values = Array::allocate(type, tensor.values.size(), false);
  visit_type(tensor.type, [&](auto from_zero) {
    const auto from = tensor.values.view<decltype(from_zero)>();
    visit_type(type, [&](auto to_zero) {
      using To = decltype(to_zero);
      auto to = values.mutable_view<To>();
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = Scalar(from[i]).as<To>();
    });
  });
  result.values = Array::borrow(type, values.data(), values.size(), values.owner(), tensor.values.base());
  return result;
}

Storage drop_zeros(const Storage& tensor) {
  if (tensor.format.is_dense()) return tensor;
  return build_with_fill(coordinates_of(tensor, false), tensor.format, {}, tensor.fill);
}

}  // namespace lacuna
