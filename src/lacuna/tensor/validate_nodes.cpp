#include "lacuna/tensor/nodes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "lacuna/dynamic/nodes/node_checker.h"

namespace lacuna::nodes {
namespace {

/// The arrays are there, and as long as the memory record says.
void check_arrays(const Storage& tensor, int level) {
  const schema::MemoryLayout layout = layout_of(tensor, level);
  const std::vector<Array>& arrays = tensor.levels[static_cast<std::size_t>(level)].nodes;
  if (arrays.size() != layout.arrays)
    fail_damaged("has {} arrays of nodes instead of {}", arrays.size(), layout.arrays);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (arrays[k].type() != layout.array_type(k) || arrays[k].base() != 0)
      fail_damaged("array {} of nodes holds {}, not {}", k, type_name(arrays[k].type()),
                   type_name(layout.array_type(k)));
  }
  if (arrays[0].bytes() != layout.memory.size)
    fail_damaged("the record of its memory has {} bytes instead of {}", arrays[0].bytes(), layout.memory.size);
  // Each element takes at least a coordinate and a value.
  const std::int64_t positions = tensor.levels[static_cast<std::size_t>(level)].positions;
  std::int64_t bytes = 0;
  for (const Array& array : arrays) bytes += array.bytes();
  if (positions < 0 || positions > bytes) fail_damaged("says that it has {} elements, in {} bytes", positions, bytes);
  const LevelNodes nodes(arrays_of(tensor, level));
  if (nodes.memory(layout.full) != 0) fail_damaged("it ran out of memory while it was filled");
  const auto check = [&](const std::string& name, const schema::InUse& in_use, std::size_t array) {
    const std::int64_t room = arrays[array].bytes() / layout.element_size(array);
    const std::int64_t limit = nodes.memory(in_use.limit);
    const std::int64_t next = nodes.memory(in_use.next);
    if (next > limit || limit > room)
      fail_damaged("{} of {} {} are in use, but there is room for {}", next, limit, name, room);
  };
  for (const schema::NodeLayout& each : layout.nodes) check(each.node->name.text + " nodes", each.in_use, each.array);
  for (const schema::PoolLayout& each : layout.pools)
    for (const auto& [name, member] : each.members)
      check("slots of " + each.node + "." + each.size, each.in_use, member.array);
}

/// Looks at the elements of one root after the other.
class ElementChecker {
 public:
  ElementChecker(const Storage& tensor, int level)
      : level_(tensor.levels[static_cast<std::size_t>(level)]),
        ordered_(tensor.format.level(level).ordered),
        last_level_(level + 1 == tensor.order()),
        nodes_(arrays_of(tensor, level)),
        checker_(nodes_),
        walk_(nodes_, &checker_),
        led_to_(last_level_ ? 0 : static_cast<std::size_t>(level_.positions), false) {}

  void check(std::int64_t parents) {
    for (std::int64_t root = 0; root < parents; ++root) check_root(root);
    if (elements_ != level_.positions)
      fail_damaged("{} elements were put in, but {} are reached from the roots", level_.positions, elements_);
  }

 private:
  void check_root(std::int64_t root) {
    std::int64_t before = -1;
    coordinates_.clear();
    walk_.start(root);
    while (walk_.next()) {
      const std::int64_t c = walk_.coordinate();
      if (c < level_.origin || c - level_.origin >= level_.extent)
        fail_damaged("coordinate {} is outside [{}, {})", c, level_.origin, level_.origin + level_.extent);
      if (ordered_ && c <= before) fail_damaged("coordinate {} comes behind {}", c, before);
      before = c;
      if (!ordered_) coordinates_.push_back(c);
      if (!last_level_) check_child(nodes_.child(walk_.value()));
      ++elements_;
    }
    std::sort(coordinates_.begin(), coordinates_.end());
    const auto twice = std::adjacent_find(coordinates_.begin(), coordinates_.end());
    if (twice != coordinates_.end()) fail_damaged("coordinate {} is there twice", *twice);
  }

  void check_child(std::int64_t child) {
    if (child < 0 || child >= level_.positions)
      fail_damaged("an element leads to position {}, but there are {}", child, level_.positions);
    if (led_to_[static_cast<std::size_t>(child)]) fail_damaged("two elements lead to position {}", child);
    led_to_[static_cast<std::size_t>(child)] = true;
  }

  const LevelStorage& level_;
  bool ordered_;
  bool last_level_;
  LevelNodes nodes_;
  NodeChecker checker_;
  ElementWalk walk_;
  std::vector<bool> led_to_;
  std::vector<std::int64_t> coordinates_;
  std::int64_t elements_ = 0;
};

}  // namespace

std::optional<std::string> find_damage(const Storage& tensor, int level, std::int64_t parents) {
  try {
    check_arrays(tensor, level);
    ElementChecker(tensor, level).check(parents);
  } catch (const Damage& damage) {
    return damage.what;
  }
  return std::nullopt;
}

}  // namespace lacuna::nodes
