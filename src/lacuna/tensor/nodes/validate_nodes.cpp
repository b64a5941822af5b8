#include "lacuna/tensor/nodes/validate_nodes.h"

#include <algorithm>
#include <vector>

#include "lacuna/format/schema/properties.h"
#include "lacuna/tensor/nodes/element_walk.h"

namespace lacuna::nodes {
namespace {

struct Damage {
  std::string what;
};

template <typename... Args>
[[noreturn]] void found(fmt::format_string<Args...> what, Args&&... args) {
  throw Damage{fmt::format(what, std::forward<Args>(args)...)};
}

/// The arrays are there, and as long as the memory record says.
void check_arrays(const Storage& tensor, int level) {
  const schema::MemoryLayout layout = layout_of(tensor, level);
  const std::vector<Array>& arrays = tensor.levels[static_cast<std::size_t>(level)].nodes;
  if (arrays.size() != layout.arrays) found("has {} arrays of nodes instead of {}", arrays.size(), layout.arrays);
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    if (arrays[k].type() != layout.array_type(k) || arrays[k].base() != 0)
      found("array {} of nodes holds {}, not {}", k, type_name(arrays[k].type()), type_name(layout.array_type(k)));
  }
  if (arrays[0].bytes() != layout.memory.size)
    found("the record of its memory has {} bytes instead of {}", arrays[0].bytes(), layout.memory.size);
  // Each element takes at least a coordinate and a value.
  const std::int64_t positions = tensor.levels[static_cast<std::size_t>(level)].positions;
  std::int64_t bytes = 0;
  for (const Array& array : arrays) bytes += array.bytes();
  if (positions < 0 || positions > bytes) found("says that it has {} elements, in {} bytes", positions, bytes);
  const LevelNodes nodes(tensor, level);
  if (nodes.memory(layout.full) != 0) found("it ran out of memory while it was filled");
  const auto check = [&](const std::string& name, const schema::InUse& in_use, std::size_t array) {
    const std::int64_t room = arrays[array].bytes() / layout.element_size(array);
    const std::int64_t limit = nodes.memory(in_use.limit);
    const std::int64_t next = nodes.memory(in_use.next);
    if (next > limit || limit > room)
      found("{} of {} {} are in use, but there is room for {}", next, limit, name, room);
  };
  for (const schema::NodeLayout& each : layout.nodes) check(each.node->name.text + " nodes", each.in_use, each.array);
  for (const schema::PoolLayout& each : layout.pools)
    for (const auto& [name, member] : each.members)
      check("slots of " + each.node + "." + each.size, each.in_use, member.array);
}

/// Looks at each node before it is read.
class NodeChecker final : public WalkObserver {
 public:
  explicit NodeChecker(const LevelNodes& nodes) : nodes_(nodes) {
    for (const schema::NodeLayout& each : nodes.layout().nodes) {
      taken_.push_back(nodes.memory(each.in_use.next));
      reached_.emplace_back(static_cast<std::size_t>(taken_.back()), false);
    }
  }

  void enter(std::size_t type, std::uint32_t node) override {
    const std::string& name = nodes_.layout().nodes[type].node->name.text;
    if (node >= taken_[type]) found("a reference leads to {} {}, but only {} are in use", name, node, taken_[type]);
    if (reached_[type][node]) found("{} {} is reached twice", name, node);
    reached_[type][node] = true;
    check_sizes(type, node);
  }

  void missing(const FieldPlan& field, std::uint32_t reference) override {
    if (reference != schema::null_reference) found("the reference {} has the tag of no node", reference);
    if (field.nonempty) found("a reference is null that may not be");
  }

 private:
  void check_sizes(std::size_t type, std::uint32_t node) const {
    const schema::NodeLayout& layout = nodes_.layout().nodes[type];
    for (const schema::Field& field : layout.node->fields) {
      const auto* size = std::get_if<schema::SizeField>(&field.type);
      if (size == nullptr) continue;
      const std::int64_t count = nodes_.number(type, field.name.text, node);
      check_bounds(*size, layout.node->name.text, field.name.text, node, count);
    }
    for (const schema::PoolLayout& pool : nodes_.layout().pools) {
      if (pool.node != layout.node->name.text) continue;
      const std::int64_t count = nodes_.number(type, pool.size, node);
      const std::int64_t at = nodes_.number(type, pool.position, node);
      if (count > 0 && at + count > nodes_.memory(pool.in_use.next))
        found("the {} slots of {} {} from {} on are not all in use", count, pool.node, node, at);
    }
  }

  static void check_bounds(const schema::SizeField& size, const std::string& type, const std::string& name,
                           std::uint32_t node, std::int64_t count) {
    const std::int64_t least = size.range ? size.range->least.value : 0;
    const bool most = size.range && size.range->most;
    if (count >= least && (!most || count <= size.range->most->value)) return;
    found("{} of {} {} is {}, which is out of its bounds", name, type, node, count);
  }

  const LevelNodes& nodes_;
  std::vector<std::int64_t> taken_;
  std::vector<std::vector<bool>> reached_;
};

/// Looks at the elements of one root after the other.
class ElementChecker {
 public:
  ElementChecker(const Storage& tensor, int level)
      : level_(tensor.levels[static_cast<std::size_t>(level)]),
        ordered_(tensor.format.level(level).ordered),
        last_level_(level + 1 == tensor.order()),
        nodes_(tensor, level),
        checker_(nodes_),
        walk_(nodes_, &checker_),
        led_to_(last_level_ ? 0 : static_cast<std::size_t>(level_.positions), false) {}

  void check(std::int64_t parents) {
    for (std::int64_t root = 0; root < parents; ++root) check_root(root);
    if (elements_ != level_.positions) found("says that it has {} elements, but has {}", level_.positions, elements_);
  }

 private:
  void check_root(std::int64_t root) {
    std::int64_t before = -1;
    coordinates_.clear();
    walk_.start(root);
    while (walk_.next()) {
      const std::int64_t c = walk_.coordinate();
      if (c < level_.origin || c - level_.origin >= level_.extent)
        found("coordinate {} is outside [{}, {})", c, level_.origin, level_.origin + level_.extent);
      if (ordered_ && c <= before) found("coordinate {} comes behind {}", c, before);
      before = c;
      if (!ordered_) coordinates_.push_back(c);
      if (!last_level_) check_child(nodes_.child(walk_.value()));
      ++elements_;
    }
    std::sort(coordinates_.begin(), coordinates_.end());
    const auto twice = std::adjacent_find(coordinates_.begin(), coordinates_.end());
    if (twice != coordinates_.end()) found("coordinate {} is there twice", *twice);
  }

  void check_child(std::int64_t child) {
    if (child < 0 || child >= level_.positions)
      found("an element leads to position {}, but there are {}", child, level_.positions);
    if (led_to_[static_cast<std::size_t>(child)]) found("two elements lead to position {}", child);
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
