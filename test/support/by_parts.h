#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/exchange/move.h"
#include "lacuna/distribute/execute/execute.h"

namespace lacuna {

/// The tensor as these ranks hold it by parts, where a distribution puts them; none of them knows it in whole.
/// Collective.
inline DistributedTensorPtr by_parts(const Storage& tensor, const Distribution& distribution, const std::string& name,
                                     Communicator& ranks) {
  const Machine& machine = distribution.machine();
  std::vector<DistVar> modes(static_cast<std::size_t>(tensor.order()));
  std::vector<DistTarget> targets(static_cast<std::size_t>(machine.level(0).dimensions()), broadcast());
  if (tensor.order() > 0) targets[0] = modes.back();
  // Where they lie at first, by counts or not, is another way.
  const bool counts = counts_positions(distribution, made_of_arrays(tensor.format));
  const DistributedTensor whole(tensor, counts ? Distribution(modes, machine, targets) : distribution, name, ranks);
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
