#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/run/execute.h"
#include "lacuna/distribute/tensors/move.h"

namespace lacuna {

/// Some distribution over a machine that counts nothing, and that the tensor's format allows: along its last mode,
/// where that can be.
inline Distribution without_counts(const Storage& tensor, const Machine& machine, const std::string& name) {
  const std::vector<DistVar> modes(static_cast<std::size_t>(tensor.order()));
  std::vector<DistTarget> targets(static_cast<std::size_t>(machine.level(0).dimensions()), broadcast());
  const Distribution everywhere(modes, machine, targets);
  for (std::size_t m = modes.size(); m-- > 0;) {
    targets[0] = modes[m];
    const Distribution along(modes, machine, targets);
    try {
      check_distribution(along, array_format_of(tensor.format), name);
      return along;
    } catch (const Error&) {  // a level that nothing can be left out of
    }
  }
  return everywhere;
}

/// The tensor as these ranks hold it by parts, where a distribution puts them; none of them knows it in whole.
/// Collective.
inline DistributedTensorPtr by_parts(const Storage& tensor, const Distribution& distribution, const std::string& name,
                                     Communicator& ranks) {
  // Where they lie at first, by counts or not, is another way.
  const bool counts = counts_positions(distribution, array_format_of(tensor.format));
  const Distribution first = counts ? without_counts(tensor, distribution.machine(), name) : distribution;
  const DistributedTensor whole(tensor, first, name, ranks);
  auto held = std::make_shared<DistributedTensor>(whole.layout(), ranks);
  for (const auto& [number, part] : whole.parts()) held->set_part(number, part);
  held->count_stored(ranks);
  if (!counts) return held;
  return std::make_shared<DistributedTensor>(placed_anew(*held, distribution, name, ranks));
}

/// The same request, with every operand held by parts that it places somewhere. Collective.
inline DistributedRequest by_parts(DistributedRequest request, Communicator& ranks) {
  for (const auto& [name, distribution] : request.placed) {
    const auto operand = request.request.operands.find(name);
    if (operand == request.request.operands.end()) continue;
    request.held.emplace(name, by_parts(operand->second, distribution, name, ranks));
    request.request.operands.erase(operand);
  }
  return request;
}

}  // namespace lacuna
