#include "lacuna/reference/coordinate_map.h"

#include <numeric>

#include "lacuna/tensor/compare.h"

namespace lacuna::reference {
namespace {

std::vector<int> all_modes(int order) {
  std::vector<int> modes(static_cast<std::size_t>(order));
  std::iota(modes.begin(), modes.end(), 0);
  return modes;
}

/// Where a tensor of dense levels only keeps a coordinate's value.
std::int64_t dense_position(const Storage& storage, std::span<const std::int64_t> coordinate) {
  std::int64_t position = 0;
  for (int k = 0; k < storage.order(); ++k) {
    const LevelStorage& level = storage.levels[static_cast<std::size_t>(k)];
    const auto mode = static_cast<std::size_t>(storage.format.map().mode_of(k));
    position = position * level.extent + coordinate[mode] - level.origin;
  }
  return position;
}

}  // namespace

CoordinateMap::CoordinateMap(const Storage& storage) : storage_(&storage), full_(storage.format.is_dense()) {
  if (full_) return;
  rows_.order = storage.order();
  for_each(storage, [&](std::span<const std::int64_t> coordinate, const Scalar& value) {
    rows_.flat.insert(rows_.flat.end(), coordinate.begin(), coordinate.end());
    values_.push_back(value);
    ++rows_.size;
  });
  index_ = std::make_unique<GroupIndex>(rows_, all_modes(rows_.order));
  add_up_duplicates();
}

// A level that is not unique may store a coordinate several times; the tensor's value there is the sum.
void CoordinateMap::add_up_duplicates() {
  CoordinateRows unique{rows_.order, 0, {}};
  std::vector<Scalar> sums;
  for (std::int64_t entry = 0; entry < rows_.size; ++entry) {
    const std::span coordinate(rows_.row(entry), static_cast<std::size_t>(rows_.order));
    if (index_->first(coordinate) != entry) continue;
    Scalar sum = values_[static_cast<std::size_t>(entry)];
    for (std::int64_t other = index_->next(entry); other >= 0; other = index_->next(other)) {
      sum = sum + values_[static_cast<std::size_t>(other)];
    }
    unique.flat.insert(unique.flat.end(), coordinate.begin(), coordinate.end());
    ++unique.size;
    sums.push_back(sum.convert(type()));
  }
  if (unique.size == rows_.size) return;
  rows_ = std::move(unique);
  values_ = std::move(sums);
  index_ = std::make_unique<GroupIndex>(rows_, all_modes(rows_.order));
}

std::optional<Scalar> CoordinateMap::at(std::span<const std::int64_t> coordinate) const {
  if (full_) {
    const std::int64_t position = dense_position(*storage_, coordinate) - storage_->values.base();
    const auto* bytes = static_cast<const unsigned char*>(storage_->values.data());
    return Scalar::load(type(), bytes + position * size_of(type()));
  }
  const std::int64_t entry = index_->first(coordinate);
  if (entry < 0) return std::nullopt;
  return values_[static_cast<std::size_t>(entry)];
}

void CoordinateMap::visit(const std::function<void(std::span<const std::int64_t>, const Scalar&)>& f) const {
  if (full_) return for_each(*storage_, f);
  for (std::int64_t entry = 0; entry < rows_.size; ++entry) {
    f({rows_.row(entry), static_cast<std::size_t>(rows_.order)}, values_[static_cast<std::size_t>(entry)]);
  }
}

}  // namespace lacuna::reference
