#pragma once

#include <set>
#include <utility>

#include "unit/dynamic/lower/level_machine.h"

namespace lacuna::dynamic {

using Entries = std::vector<std::pair<std::int64_t, double>>;

/// Walks over the trees of a machine as their schema says, and expects what it says to hold: coordinates ascend along
/// seq, sizes are in their ranges, what is nonempty is there, parents are those that refer to a node, no node or
/// segment is reached twice, and all that was taken from memory is reached or was given back.
class SchemaChecker {
 public:
  explicit SchemaChecker(const LevelMachine& machine) : machine_(machine) {}

  /// The entries of each tree, in the order of the walk (of coordinates, where there is no order).
  std::vector<Entries> check();

 private:
  void visit(const NodeRecord& node, std::uint32_t index, const NodeRecord* above, std::uint32_t above_index);
  void check_parent(const NodeRecord& node, std::uint32_t index, const NodeRecord* above, std::uint32_t above_index);
  void visit_field(const NodeRecord& node, std::uint32_t index, const schema::Field& field, std::int64_t slot);
  void visit_child(const NodeRecord& node, std::uint32_t index, const schema::Field& field, std::int64_t slot);
  std::int64_t slots_of(const NodeRecord& node, std::uint32_t index, const schema::Field& field) const;
  void check_sizes(const NodeRecord& node, std::uint32_t index);
  void check_memory();
  std::uint32_t reference_to(const NodeRecord& node, std::uint32_t index) const;
  std::int64_t integer(const NodeRecord& node, std::uint32_t index, const std::string& member, std::int64_t slot) const;
  double real(const NodeRecord& node, std::uint32_t index, const std::string& member, std::int64_t slot) const;

  const LevelMachine& machine_;
  Entries entries_;
  std::map<std::string, std::set<std::uint32_t>> reached_;
  std::map<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>> segments_;  // begin and size, by pool
};

}  // namespace lacuna::dynamic
