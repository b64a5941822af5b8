#pragma once

#include <cstdint>
#include <vector>

#include "lacuna/dynamic/nodes/level_nodes.h"

namespace lacuna::nodes {

/// Is told of nodes and references before a walk follows them; throws to stop it.
class WalkObserver {
 public:
  WalkObserver() = default;
  WalkObserver(const WalkObserver&) = delete;
  WalkObserver& operator=(const WalkObserver&) = delete;
  virtual ~WalkObserver() = default;
  /// A node of the type is about to be read.
  virtual void enter(std::size_t type, std::uint32_t node) = 0;
  /// A child is null, or its tag is that of no node.
  virtual void missing(const FieldPlan& field, std::uint32_t reference) = 0;
};

/// Goes through the elements under one root in the schema's order. Needs memory for the nodes whose fields it is in the
/// middle of: a list of any length takes one, a tree its height. Never recurses.
class ElementWalk {
 public:
  explicit ElementWalk(const LevelNodes& nodes, WalkObserver* observer = nullptr)
      : nodes_(nodes), observer_(observer) {}

  /// Starts anew, at the first element under a root.
  void start(std::int64_t root);
  /// Goes to the next element; false where there is none.
  bool next();
  std::int64_t coordinate() const { return coordinate_; }
  const std::byte* value() const { return value_; }

 private:
  struct Frame {
    std::uint32_t type;
    std::uint32_t node;
    std::uint32_t group = 0;
    std::uint32_t field = 0;
    std::int64_t slot = 0;
    std::int64_t slots = 0;
  };
  void enter(std::size_t type, std::uint32_t node);
  void begin_group(Frame& frame) const;
  void follow(const FieldPlan& field, std::uint32_t reference, bool last);
  bool is_done(const Frame& frame) const { return frame.group == nodes_.plans()[frame.type].groups.size(); }
  void advance(Frame& frame, const GroupPlan& group) const;

  const LevelNodes& nodes_;
  WalkObserver* observer_;
  std::vector<Frame> frames_;
  std::int64_t coordinate_ = 0;
  const std::byte* value_ = nullptr;
};

}  // namespace lacuna::nodes
