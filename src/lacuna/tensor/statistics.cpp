#include "lacuna/tensor/statistics.h"

#include <bit>

#include <fmt/format.h>

namespace lacuna {

Statistics statistics_of(const Storage& tensor) {
  Statistics statistics;
  statistics.stored = tensor.stored();
  for (const LevelStorage& level : tensor.levels) {
    statistics.extents.push_back(level.extent);
    statistics.positions.push_back(level.positions);
  }
  return statistics;
}

int size_class(std::int64_t size) {
  return (static_cast<int>(std::bit_width(static_cast<std::uint64_t>(size))) + 3) / 4;
}

std::string statistics_key(const Statistics& statistics) {
  std::string key = fmt::format("s{}", size_class(statistics.stored));
  for (std::size_t k = 0; k < statistics.extents.size(); ++k) {
    key += fmt::format("{}{},{}", k == 0 ? ':' : ';', size_class(statistics.extents[k]),
                       size_class(statistics.positions[k]));
  }
  return key;
}

}  // namespace lacuna
