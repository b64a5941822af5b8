#include <utility>
#include <vector>

#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

Storage transpose(const Storage& tensor, const std::vector<int>& permutation) {
  if (permutation.size() != tensor.dimensions.size()) {
    user_error("a tensor of order {} cannot be transposed by a permutation of {} modes", tensor.order(),
               permutation.size());
  }
  const LevelMap modes(permutation);  // refuses what is no permutation
  Storage result = tensor;
  std::vector<int> mode_of_level;
  for (int k = 0; k < tensor.order(); ++k) mode_of_level.push_back(modes.level_of(tensor.format.map().mode_of(k)));
  for (std::size_t m = 0; m < permutation.size(); ++m) {
    result.dimensions[m] = tensor.dimensions[static_cast<std::size_t>(permutation[m])];
  }
  result.format = Format(tensor.format.levels(), LevelMap(std::move(mode_of_level)));
  return result;
}

}  // namespace lacuna
