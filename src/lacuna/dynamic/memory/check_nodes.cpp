#include "lacuna/dynamic/memory/check_nodes.h"

#include <algorithm>

#include "lacuna/dynamic/code/fill.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna {

void check_nodes(const Storage& tensor, const MadeBy& made_by) {
  std::int64_t parents = 1;
  for (int k = 0; k < tensor.order(); ++k) {
    const LevelFormat& format = tensor.format.level(k);
    if (format.is_dynamic()) {
      const schema::LevelFile& file = *format.definition;
      if (const auto damage = nodes::find_damage(tensor, k, parents))
        user_error("{}: what its {} made of level {} of {} is wrong: {}", file.path.string(), made_by(file, k), k + 1,
                   tensor.format.to_string(), *damage);
    }
    parents = tensor.levels[static_cast<std::size_t>(k)].positions;
  }
}

void check_filled_nodes(const Storage& tensor) {
  check_nodes(tensor, [](const schema::LevelFile& file, int) {
    const auto way = schema::fill_way(file.program);
    internal_check(way.has_value(), "a level was filled whose file has no function for it");
    return schema::functions_of(*way);
  });
}

bool NodeChecks::is_due(std::int64_t entries) {
  const std::scoped_lock lock(mutex_);
  const bool due = ++results_ == next_ || entries / 2 > largest_;
  if (results_ == next_) next_ *= 2;
  if (due) largest_ = std::max(largest_, entries);
  return due;
}

}  // namespace lacuna
