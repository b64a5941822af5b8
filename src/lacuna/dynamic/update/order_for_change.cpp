#include "lacuna/dynamic/update/order_for_change.h"

#include <algorithm>

namespace lacuna {
namespace {

/// Levels that can be put into another order: what they are made of now does not matter.
bool is_walked(const Format& format) {
  bool sparse = false;
  for (const LevelFormat& level : format.levels()) {
    const bool walked = level.is_dynamic() || level == LevelFormat::compressed();
    if (!walked && !level.full()) return false;
    sparse = sparse || walked;
  }
  return sparse;
}

}  // namespace

std::optional<Format> order_for_change(const Storage& operand, const Access& access, const Access& change) {
  if (!is_walked(operand.format)) return std::nullopt;
  const auto of_change = [&](int mode) {
    const IndexVar& var = access.indices[static_cast<std::size_t>(mode)];
    return std::find(change.indices.begin(), change.indices.end(), var) != change.indices.end();
  };
  std::vector<int> modes;
  for (int k = 0; k < operand.order(); ++k) modes.push_back(operand.format.map().mode_of(k));
  if (of_change(modes.front()) || std::none_of(modes.begin(), modes.end(), of_change)) return std::nullopt;
  std::stable_partition(modes.begin(), modes.end(), of_change);

  std::vector<LevelFormat> levels(modes.size(), LevelFormat::compressed());
  // Where that takes no more room than the entries do, its coordinates are found without a search.
  const std::int64_t outer = operand.dimensions[static_cast<std::size_t>(modes.front())];
  if (levels.size() > 1 && outer <= 4 * operand.stored()) levels.front() = LevelFormat::dense();
  return Format(std::move(levels), LevelMap(modes));
}

}  // namespace lacuna
