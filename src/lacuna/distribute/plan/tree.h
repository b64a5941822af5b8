#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/format/distribution/machine.h"

namespace lacuna {

/// From how many receivers of the same message on, or senders to one sum, they form a tree. Fewer talk to one processor
/// directly, which takes fewer rounds of messages that wait for each other.
inline constexpr std::size_t smallest_tree = 8;

/// One message of a tree, of which there is one to each processor but the root.
struct TreeEdge {
  std::size_t child = 0;              // which of the processors
  std::optional<std::size_t> parent;  // likewise; none: the root
  std::size_t round = 0;
};

/// A tree in which something spreads from a root to other processors, or is added up on the way back: in each round,
/// each processor that has it sends it to one more (a binomial tree). Where the machine has several levels, it comes to
/// each point of the outermost one once, and spreads within it from there, level by level. In the order of the rounds.
std::vector<TreeEdge> tree_of(const Machine& machine, std::int64_t root, const std::vector<std::int64_t>& processors);

}  // namespace lacuna
