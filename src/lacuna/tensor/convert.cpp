#include "lacuna/tensor/convert.h"

#include <utility>

#include "lacuna/tensor/build_entries.h"
#include "lacuna/tensor/convert_outer_level.h"
#include "lacuna/tensor/integers.h"

namespace lacuna {

namespace {

/// Arrays made under `have` keep every promise of `want`: same kinds and modes, and no promise added.
bool is_promised(const Format& have, const Format& want) {
  if (have.order() != want.order() || !(have.map() == want.map())) return false;
  for (int k = 0; k < have.order(); ++k) {
    const LevelFormat& a = have.level(k);
    const LevelFormat& b = want.level(k);
    if (a.kind != b.kind || (b.ordered && !a.ordered) || (b.unique && !a.unique)) return false;
    // A level that may repeat has one position an entry; one that may not, one a distinct coordinate.
    if (a.unique != b.unique && k + 1 < have.order()) return false;
  }
  return true;
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
  if (auto fast = convert_outer_level(tensor, format)) return std::move(*fast);
  const bool keep_zeros = !tensor.format.is_dense() || format.is_dense();
  const CoordinateList list = coordinates_of(tensor, keep_zeros, threads);
  return build_with_fill(list, format, {Duplicates::Sum, false, threads}, tensor.fill);
}

Storage convert_type(const Storage& tensor, Type type) {
  if (type == tensor.type) return tensor;
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
