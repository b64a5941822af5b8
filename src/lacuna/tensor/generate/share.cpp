#include <algorithm>

#include "lacuna/tensor/generate.h"

namespace lacuna {

GeneratorShare::Sums GeneratorShare::sums(std::int64_t mine) const {
  if (count == 1) return {0, mine};
  Sums sums;
  const std::vector<std::int64_t> each = gather(mine);
  for (std::size_t k = 0; k < each.size(); ++k) {
    if (static_cast<int>(k) < number) sums.before += each[k];
    sums.all += each[k];
  }
  return sums;
}

std::int64_t GeneratorShare::first_of(std::int64_t all) const {
  return all / count * number + std::min<std::int64_t>(number, all % count);
}

std::int64_t GeneratorShare::end_of(std::int64_t all) const {
  return all / count * (number + 1) + std::min<std::int64_t>(number + 1, all % count);
}

}  // namespace lacuna
