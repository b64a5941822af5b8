#pragma once

#include "lacuna/draw/tensor/model.h"
#include "lacuna/dynamic/nodes/level_nodes.h"

namespace lacuna::picture {

/// Reads the nodes of a dynamic level into a picture's model.
class NodeCollector {
 public:
  /// `last`: elements hold values; else they lead to positions of the level. Further nodes and elements than `most` are
  /// left out.
  NodeCollector(const nodes::LevelNodes& nodes, bool last, std::int64_t most, LevelModel& level)
      : nodes_(nodes), last_(last), room_(most), level_(level), drawn_(nodes.plans().size()) {}

  /// Adds all that a root leads to, as far as there is room.
  void add(std::int64_t root, const std::string& above);

 private:
  struct Waiting {
    std::size_t type;
    std::uint32_t node;
    std::size_t from;  // the node of the model that refers to it, and its slot
    std::size_t slot;
  };
  std::size_t add_node(std::size_t type, std::uint32_t node, const Waiting* from);
  void add_group(const nodes::GroupPlan& group, const std::vector<const schema::Field*>& fields, std::uint32_t node);
  void add_slot(const nodes::FieldPlan& plan, const schema::Field& field, std::uint32_t node, std::int64_t slot);
  void add_free(const std::vector<const schema::Field*>& fields, std::int64_t count);
  void follow(const Waiting& next);
  void add_positions(std::int64_t root, Structure& structure);
  void add_nothing(Slot::Kind kind, const std::string& name, std::int64_t count);
  std::string facts_of(std::size_t type, std::uint32_t node, const Waiting* from) const;
  std::string parent_text(std::size_t type, const std::string& field, std::uint32_t node, const Waiting* from) const;
  const schema::NodeType& type_of(std::size_t type) const { return *nodes_.plans()[type].layout->node; }

  const nodes::LevelNodes& nodes_;
  bool last_;
  std::int64_t room_;
  LevelModel& level_;
  std::vector<std::vector<std::int64_t>> drawn_;                // by type and index: the node of the model, or -1
  std::vector<std::pair<std::size_t, std::uint32_t>> origins_;  // by node of the model: type and index
  std::vector<Waiting> waiting_;
  std::vector<Waiting> found_;  // the references of the node at hand
  std::int64_t before_ = 0;     // the coordinate of the slot before, which differences are added to
};

}  // namespace lacuna::picture
