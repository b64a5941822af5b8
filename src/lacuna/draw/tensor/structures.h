#pragma once

#include <functional>
#include <optional>

#include "lacuna/draw/tensor/place.h"

namespace lacuna::picture {

inline constexpr double gap = 18;   // between things side by side
inline constexpr double fall = 30;  // from a node to those below it

/// Places the structures of dynamic levels. The children of a node are side by side below it or, where that is wider
/// than a page, one below another, indented. The nodes of a list, and structures side by side, continue in further
/// lines. Structures of a dynamic level right below are placed under those whose elements lead to them.
class StructurePlacer {
 public:
  /// Sizes are known from here on; nothing has a place.
  StructurePlacer(const TensorModel& model, Placement& placement);

  /// With all that hangs below.
  const Size& size_of(std::size_t level, std::int64_t structure) const {
    return plans_[level][static_cast<std::size_t>(structure)].whole;
  }
  /// Of its first node alone.
  double root_height(std::size_t level, std::int64_t structure) const;
  void put(std::size_t level, std::int64_t structure, double x, double y);
  /// Puts them side by side, in as many lines as they need.
  Size put_all(std::size_t level, const std::vector<std::int64_t>& structures, double x, double y);

 private:
  /// By number in the structure.
  struct Children {
    std::vector<std::size_t> below;
    std::optional<std::size_t> beside;
    bool indented = false;  // those below
    double indent = 0;
  };
  struct Plan {
    std::size_t level = 0;
    std::size_t first = 0;  // node of the level
    std::vector<Children> children;
    std::vector<Size> nodes;
    std::vector<Size> trees;   // by node: it and what is below it
    std::vector<Size> chains;  // by node: its tree and those beside it
    Size whole;
  };
  using Visit = std::function<void(std::size_t item, double x, double y)>;

  Plan plan_of(std::size_t level, const Structure& structure) const;
  std::vector<Children> children_of(std::size_t level, const Structure& structure) const;
  static double row_width(const Plan& plan, const Children& children);
  Size tree_size(const Plan& plan, std::size_t node) const;
  void arrange(Plan& plan, std::size_t node) const;
  static std::vector<std::size_t> chain_of(const Plan& plan, std::size_t node);
  static Size lines(const std::vector<Size>& items, const Visit& visit);
  std::vector<Size> sizes_of(std::size_t level, const std::vector<std::int64_t>& structures) const;
  bool goes_on_below(std::size_t level) const;
  void put_chain(const Plan& plan, std::size_t node, double x, double y);
  void put_tree(const Plan& plan, std::size_t node, double x, double y);
  void put_node(const Plan& plan, std::size_t node, double x, double y);

  const TensorModel& model_;
  Placement& placement_;
  std::vector<std::vector<Plan>> plans_;  // by level and structure
};

}  // namespace lacuna::picture
