#include "lacuna/distribute/execute/distributed_tensor.h"

namespace lacuna {

DistributedTensor::DistributedTensor(const Storage& tensor, const Distribution& distribution, const std::string& name)
    : partition_(partition(tensor, distribution, name)) {
  for (std::int64_t c = 0; c < partition_.colours(); ++c) {
    placement_.parts.push_back({partition_.part(c), partition_.processors_of(c)});
    parts_.push_back(local_part(whole(), partition_.part(c)));
  }
}

Distribution everywhere(int order, const Machine& machine) {
  const std::vector<DistVar> modes(static_cast<std::size_t>(order));
  return {modes, machine, std::vector<DistTarget>(static_cast<std::size_t>(machine.level(0).dimensions()))};
}

}  // namespace lacuna
