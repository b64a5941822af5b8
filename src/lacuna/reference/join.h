#pragma once

#include <set>
#include <utility>
#include <vector>

#include "lacuna/reference/bindings.h"
#include "lacuna/reference/presence.h"

namespace lacuna::reference {

/// Finds the points at which an expression may be present without visiting all others: joins the coordinates that its
/// operands store, by hashing, and loops over whole extents only for variables that no stored coordinate binds.
class Join {
 public:
  /// Finds values of the slots `wanted` when those of `known` are given. `extents` is by slot.
  Join(const Program& program, std::vector<int> wanted, const std::set<int>& known,
       const std::vector<std::int64_t>& extents);

  /// The bindings of the wanted slots, in their lexicographic order, each once. Reads the known slots of `point` and
  /// overwrites others.
  Bindings run(Point& point) const;

 private:
  /// Visits the entries whose key modes agree with slots that have values and gives values to further slots.
  struct Step {
    const CoordinateRows* rows = nullptr;
    GroupIndex index;
    std::vector<int> key_slots;
    std::vector<std::pair<int, int>> binds;  // mode, slot
  };
  /// The steps of one conjunct, then the wanted slots that they leave without value.
  struct Plan {
    std::vector<Step> steps;
    std::vector<int> loops;
  };

  static Plan plan(const Conjunct& conjunct, const std::vector<int>& wanted, std::set<int> bound);
  static Step make_step(const Stored& stored, std::set<int>& bound);
  void run_step(const Plan& plan, std::size_t k, Point& point, Bindings& found) const;
  void run_loop(const Plan& plan, std::size_t k, Point& point, Bindings& found) const;

  std::vector<int> wanted_;
  std::vector<std::int64_t> extents_;
  std::vector<Plan> plans_;
};

}  // namespace lacuna::reference
