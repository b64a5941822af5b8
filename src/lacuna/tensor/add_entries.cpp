#include "lacuna/tensor/add_entries.h"

#include <cstring>

#include "lacuna/support/check.h"
#include "lacuna/tensor/integers.h"
#include "lacuna/tensor/wrapping.h"

namespace lacuna {
namespace {

/// Where each entry's value is.
std::vector<std::int64_t> positions_of(const Storage& dense, const CoordinateList& entries) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(entries.size()), 0);
  for (int k = 0; k < dense.order(); ++k) {
    const LevelStorage& level = dense.levels[static_cast<std::size_t>(k)];
    const IntegerReader coordinates(entries.coordinates[static_cast<std::size_t>(dense.format.map().mode_of(k))]);
    for (std::size_t e = 0; e < positions.size(); ++e)
      positions[e] = positions[e] * level.extent + coordinates[static_cast<std::int64_t>(e)] - level.origin;
  }
  return positions;
}

void own_values(Storage& dense) {
  if (dense.values.is_sole()) return;
  Array copy = Array::allocate(dense.type, dense.values.size(), false);
  if (!copy.empty()) std::memcpy(copy.mutable_data(), dense.values.data(), static_cast<std::size_t>(copy.bytes()));
  dense.values = std::move(copy);
}

/// Calls f(value, entry) for the value of each entry's place and the entry's.
template <typename F>
void at_places(Storage& dense, const CoordinateList& entries, F f) {
  internal_check(dense.format.is_dense() && entries.values.type() == dense.type,
                 "entries of {} are put into a tensor of {} in the format {}", type_name(entries.values.type()),
                 type_name(dense.type), dense.format.to_string());
  if (entries.size() == 0) return;
  own_values(dense);
  const std::vector<std::int64_t> positions = positions_of(dense, entries);
  visit_type(dense.type, [&](auto zero) {
    using T = decltype(zero);
    const auto from = entries.values.view<T>();
    const auto to = dense.values.mutable_view<T>();
    for (std::size_t e = 0; e < positions.size(); ++e) f(to[static_cast<std::size_t>(positions[e])], from[e]);
  });
}

}  // namespace

void add_entries(Storage& dense, const CoordinateList& entries) {
  at_places(dense, entries, [](auto& value, auto more) {
    value = static_cast<std::decay_t<decltype(value)>>(add_wrapping(widen(value), widen(more)));
  });
}

void put_entries(Storage& dense, const CoordinateList& entries) {
  at_places(dense, entries, [](auto& value, auto by) { value = by; });
}

}  // namespace lacuna
