#include "lacuna/schedule/problem/walkable_format.h"

namespace lacuna {

Format walkable_format(const std::vector<int>& mode_order, std::int64_t first_extent, double stored) {
  std::vector<LevelFormat> levels(mode_order.size(), LevelFormat::compressed());
  if (levels.size() > 1 && static_cast<double>(first_extent) <= 4 * stored + 1024) levels[0] = LevelFormat::dense();
  return Format(std::move(levels), LevelMap(mode_order));
}

}  // namespace lacuna
