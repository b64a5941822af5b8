#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "lacuna/dynamic/nodes/element_walk.h"

namespace lacuna::nodes {

/// Thrown where the memory of a level is not as its schema says.
struct Damage {
  std::string what;
};

/// Throws Damage.
template <typename... Args>
[[noreturn]] void fail_damaged(fmt::format_string<Args...> what, Args&&... args) {
  throw Damage{fmt::format(what, std::forward<Args>(args)...)};
}

/// A size field, or a size whose arrays lie elsewhere, of a node type.
struct SizeCheck {
  const schema::SizeField* bounds = nullptr;  // null: where the arrays are in use up to is all that is looked at
  const schema::PoolLayout* pool = nullptr;   // null: the arrays lie in the node
  const schema::MemoryField* count = nullptr;
  const schema::MemoryField* position = nullptr;  // of a pool
};

/// Looks at each node before a walk reads it; throws Damage where it does not exist, was deleted or was reached before,
/// or where its sizes are out of their bounds.
class NodeChecker final : public WalkObserver {
 public:
  /// The nodes must outlive it. Throws Damage where those that were deleted cannot be listed.
  explicit NodeChecker(const LevelNodes& nodes);

  void enter(std::size_t type, std::uint32_t node) override;
  void missing(const FieldPlan& field, std::uint32_t reference) override;

 private:
  const std::string& name(std::size_t type) const { return nodes_.layout().nodes[type].node->name.text; }
  std::vector<SizeCheck> sizes_of(const schema::NodeLayout& of) const;
  void note_given_back(std::size_t type);
  bool is_given_back(std::size_t type, std::uint32_t node) const { return given_back_[type][node]; }
  void check_size(const SizeCheck& check, std::size_t type, std::uint32_t node) const;

  const LevelNodes& nodes_;
  std::vector<std::int64_t> taken_;  // by type
  std::vector<std::vector<bool>> reached_;
  std::vector<std::vector<bool>> given_back_;
  std::vector<std::vector<SizeCheck>> sizes_;
};

}  // namespace lacuna::nodes
