#include "lacuna/tensor/nodes/validate_nodes.h"

#include <algorithm>
#include <string>
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

/// A size field, or a size whose arrays lie elsewhere, of a node type.
struct SizeCheck {
  const schema::SizeField* bounds = nullptr;  // null: where the arrays are in use up to is all that is looked at
  const schema::PoolLayout* pool = nullptr;   // null: the arrays lie in the node
  const schema::MemoryField* count = nullptr;
  const schema::MemoryField* position = nullptr;  // of a pool
};

/// Looks at each node before it is read.
class NodeChecker final : public WalkObserver {
 public:
  explicit NodeChecker(const LevelNodes& nodes) : nodes_(nodes) {
    const schema::MemoryLayout& layout = nodes.layout();
    for (std::size_t type = 0; type < layout.nodes.size(); ++type) {
      const schema::NodeLayout& each = layout.nodes[type];
      taken_.push_back(nodes.memory(each.in_use.next));
      reached_.emplace_back(static_cast<std::size_t>(taken_.back()), false);
      sizes_.push_back(sizes_of(each));
      note_given_back(type);
    }
  }

  void enter(std::size_t type, std::uint32_t node) override {
    if (node >= taken_[type])
      found("a reference leads to {} {}, but only {} are in use", name(type), node, taken_[type]);
    if (reached_[type][node])
      found("{} {} is reached {}", name(type), node, is_given_back(type, node) ? "though it was deleted" : "twice");
    reached_[type][node] = true;
    for (const SizeCheck& each : sizes_[type]) check_size(each, type, node);
  }

  void missing(const FieldPlan& field, std::uint32_t reference) override {
    if (reference != schema::null_reference) found("the reference {} has the tag of no node", reference);
    if (field.nonempty) found("a reference is null that may not be");
  }

 private:
  const std::string& name(std::size_t type) const { return nodes_.layout().nodes[type].node->name.text; }

  std::vector<SizeCheck> sizes_of(const schema::NodeLayout& of) const {
    std::vector<SizeCheck> all;
    for (const schema::Field& field : of.node->fields) {
      const auto* size = std::get_if<schema::SizeField>(&field.type);
      if (size != nullptr) all.push_back({size, nullptr, &of.record.at(field.name.text), nullptr});
    }
    for (const schema::PoolLayout& pool : nodes_.layout().pools)
      if (pool.node == of.node->name.text)
        all.push_back({nullptr, &pool, &of.record.at(pool.size), &of.record.at(pool.position)});
    return all;
  }

  /// Nodes that were deleted count as reached from the beginning.
  void note_given_back(std::size_t type) {
    const schema::NodeLayout& node = nodes_.layout().nodes[type];
    std::vector<bool>& reached = reached_[type];
    for (auto next = static_cast<std::uint32_t>(nodes_.memory(node.in_use.free)); next != 0;
         next = static_cast<std::uint32_t>(nodes_.number(type, node.link, next - 1)) + 1) {
      if (next > taken_[type])
        found("a deleted {} leads to {} {}, which was never in use", name(type), name(type), next - 1);
      if (reached[next - 1]) found("{} {} was deleted twice, or used when it was deleted", name(type), next - 1);
      reached[next - 1] = true;
    }
    given_back_.push_back(reached);
  }
  bool is_given_back(std::size_t type, std::uint32_t node) const { return given_back_[type][node]; }

  void check_size(const SizeCheck& check, std::size_t type, std::uint32_t node) const {
    const std::int64_t count = nodes_.number(type, *check.count, node);
    if (check.bounds != nullptr) return check_bounds(*check.bounds, name(type), check.count->name, node, count);
    const std::int64_t at = nodes_.number(type, *check.position, node);
    if (count > 0 && at + count > nodes_.memory(check.pool->in_use.next))
      found("the {} slots of {} {} from {} on are not all in use", count, check.pool->node, node, at);
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
  std::vector<std::vector<bool>> given_back_;
  std::vector<std::vector<SizeCheck>> sizes_;
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
    if (elements_ != level_.positions)
      found("{} elements were put in, but {} are reached from the roots", level_.positions, elements_);
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
