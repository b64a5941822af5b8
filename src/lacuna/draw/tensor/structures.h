#pragma once

#include <functional>
#include <optional>

#include "lacuna/draw/tensor/place.h"

namespace lacuna::picture {

inline constexpr double gap = 18;   // between things side by side
inline constexpr double fall = 30;  // from a node to those below it

struct Size {
  double width = 0, height = 0;
};

/// Places the structures of dynamic levels: trees with children below their node, lists to the right, and the
/// structures of a dynamic level right below under those whose elements lead to them.
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
  };
  struct Plan {
    std::vector<Children> children;
    std::vector<Size> trees;  // by node: it and what it refers to
    Size whole;
  };
  using Visit = std::function<void(std::int64_t structure, double x, double y)>;

  Plan plan_of(std::size_t level, const Structure& structure) const;
  std::vector<Children> children_of(std::size_t level, const Structure& structure) const;
  Size lines(std::size_t level, const std::vector<std::int64_t>& structures, const Visit& visit) const;
  bool goes_on_below(std::size_t level) const;
  void put_children(const Rectangle& area, const Rectangle& node, const Plan& plan, const Children& children,
                    std::vector<Rectangle>& areas) const;
  Rectangle put_node(std::size_t level, std::size_t node, const Rectangle& area, double core_width);
  static double core_width(const DrawnNode& node, const Plan& plan, const Children& children);

  const TensorModel& model_;
  Placement& placement_;
  std::vector<std::vector<Plan>> plans_;  // by level and structure
};

}  // namespace lacuna::picture
