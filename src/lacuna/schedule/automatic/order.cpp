#include "lacuna/schedule/automatic/order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/schedule/cost/counts.h"
#include "lacuna/schedule/problem/walkable_format.h"

namespace lacuna {
namespace {

using concrete::Formula;

constexpr std::size_t max_permuted = 5;

int rank(const VariableOrder& order, const IndexVar& v) {
  return static_cast<int>(std::find(order.begin(), order.end(), v) - order.begin());
}

/// Whether the levels can be walked in this order: each level that is not located into comes no earlier than those
/// above it.
bool walkable(const Format& format, const std::vector<IndexVar>& variables, const VariableOrder& order) {
  int deepest = -1;
  for (int k = 0; k < format.order(); ++k) {
    const int r = rank(order, variables[static_cast<std::size_t>(k)]);
    if (format.level(k).walks() && r < deepest) return false;
    deepest = std::max(deepest, r);
  }
  return true;
}

/// Whether the levels need no sorting: those that are not ordered are nodes that are come to in any order.
bool well_ordered(const Format& format, const std::vector<IndexVar>& variables, const VariableOrder& sorted) {
  for (int k = 0; k < format.order(); ++k) {
    const LevelFormat& level = format.level(k);
    if (level.hashes()) continue;
    if (!level.unique && k + 1 == format.order()) return false;
    if (!level.ordered && (!level.is_dynamic() || contains(sorted, variables[static_cast<std::size_t>(k)])))
      return false;
  }
  return true;
}

double entries_of(const ScheduleProblem& problem, const Access& a, const OperandFacts& facts) {
  if (facts.stored > 0) return static_cast<double>(facts.stored);
  std::vector<double> extents;
  for (const IndexVar& v : a.indices) extents.push_back(static_cast<double>(problem.extents.at(v)));
  return cost::assumed_entries(facts.format, extents);
}

class Estimator {
 public:
  Estimator(const ScheduleProblem& problem, const Group& group, const VariableOrder& order, const VariableOrder& sorted)
      : problem_(problem), group_(group), order_(order), sorted_(sorted) {}

  OrderCost run() {
    for (const Access& a : group_.accesses) cost_.accesses.push_back(plan(a));
    copy_driving_hashes();
    copy_unsearched_nodes();
    copy_unordered_nodes();
    double trips = 1;
    for (const IndexVar& v : order_) {
      trips *= std::max(1e-3, trips_at(v));
      cost_.iterations += trips;
    }
    cost_.innermost = trips;
    for (const AccessPlan& p : cost_.accesses) cost_.copies += p.copied;
    return std::move(cost_);
  }

 private:
  AccessPlan plan(const Access& a) const {
    const OperandFacts& facts = problem_.operands.at(a.tensor.name());
    AccessPlan p{a, std::nullopt, {}, facts.format.levels(), {}, 0};
    for (int k = 0; k < facts.format.order(); ++k)
      p.variables.push_back(a.indices[static_cast<std::size_t>(facts.format.map().mode_of(k))]);
    if (!well_ordered(facts.format, p.variables, sorted_) || !walkable(facts.format, p.variables, order_))
      return copied(p);
    double parents = 1;
    for (int k = 0; k < facts.format.order(); ++k) {
      const double extent = static_cast<double>(problem_.extents.at(p.variables[static_cast<std::size_t>(k)]));
      double positions = k < static_cast<int>(facts.positions.size())
                             ? static_cast<double>(facts.positions[static_cast<std::size_t>(k)])
                             : 0;
      if (facts.stored == 0 || positions == 0)
        positions = parents * std::min(extent, std::max(1.0, entries_of(problem_, a, facts) / std::max(1.0, parents)));
      p.fanout.push_back(std::clamp(positions / std::max(1.0, parents), 1e-3, std::max(1.0, extent)));
      parents = std::max(1.0, positions);
    }
    return p;
  }

  /// The plan that reads a copy with compressed levels in loop order.
  AccessPlan copied(AccessPlan p) const {
    const Access& a = p.access;
    const OperandFacts& facts = problem_.operands.at(a.tensor.name());
    std::vector<int> modes(a.indices.size());
    std::iota(modes.begin(), modes.end(), 0);
    std::stable_sort(modes.begin(), modes.end(), [&](int x, int y) {
      return rank(order_, a.indices[static_cast<std::size_t>(x)]) <
             rank(order_, a.indices[static_cast<std::size_t>(y)]);
    });
    const double entries = entries_of(problem_, a, facts);
    const IndexVar& first = a.indices[static_cast<std::size_t>(modes[0])];
    p.copy = walkable_format(modes, problem_.extents.at(first), entries);
    p.levels = p.copy->levels();
    p.variables.clear();
    p.fanout.clear();
    // All parents are gone through, too, also those without entries; that is quicker than to sort an entry.
    constexpr double parents_an_entry = 6;
    p.copied = entries;
    for (std::size_t k = 0; k + 1 < facts.positions.size(); ++k)
      p.copied += static_cast<double>(facts.positions[k]) / parents_an_entry;
    double parents = 1, span = 1;
    for (std::size_t k = 0; k < modes.size(); ++k) {
      p.variables.push_back(a.indices[static_cast<std::size_t>(modes[k])]);
      span *= static_cast<double>(problem_.extents.at(p.variables.back()));
      const double distinct = std::max(1.0, std::min(span, entries));
      p.fanout.push_back(distinct / parents);
      parents = distinct;
    }
    return p;
  }

  /// Where the group may be present at `v`, over the accesses (by number) whose level there counts by `counts`.
  template <typename Counts>
  Formula formula_at(const IndexVar& v, const Counts& counts) const {
    const auto of_access = [&](const Access& a) {
      for (std::size_t n = 0; n < cost_.accesses.size(); ++n) {
        const AccessPlan& p = cost_.accesses[n];
        if (!(p.access.tensor == a.tensor) || p.access.indices != a.indices) continue;
        for (std::size_t k = 0; k < p.variables.size(); ++k)
          if (p.variables[k] == v && counts(p.levels[k])) return Formula::atom(static_cast<int>(n));
        return Formula::always();
      }
      for (const NestedSum& s : group_.nested)
        if (s.scalar == a.tensor) return nested_formula(s, v, counts);
      return Formula::always();
    };
    return concrete::presence(current_, of_access);
  }

  template <typename Counts>
  Formula nested_formula(const NestedSum& s, const IndexVar& v, const Counts& counts) const {
    Estimator inner(*this);
    inner.current_ = s.body;
    return inner.formula_at(v, counts);
  }

  /// The expression that decides the loop over v: the sum that binds it, or the whole group.
  Expr scope_of(const IndexVar& v) const {
    for (const NestedSum& s : group_.nested)
      if (s.var == v) return s.body;
    return group_.expr;
  }

  /// A hash table is located into where something else drives the loop, or where every coordinate is visited anyway;
  /// else it is copied.
  void copy_driving_hashes() {
    for (const IndexVar& v : order_) {
      current_ = scope_of(v);
      const bool visits_all = formula_at(v, [](const LevelFormat& l) { return l.walks(); }).is_always();
      const bool must_visit_all =
          formula_at(v, [](const LevelFormat& l) { return l.walks() || l.hashes(); }).is_always();
      if (!visits_all || must_visit_all) continue;
      for (AccessPlan& p : cost_.accesses)
        for (std::size_t k = 0; k < p.variables.size() && !p.copy; ++k)
          if (p.variables[k] == v && p.levels[k].hashes()) p = copied(p);
    }
  }

  /// Nodes are searched where a loop above decides their coordinate, or else copied.
  void copy_unsearched_nodes() {
    for (AccessPlan& p : cost_.accesses)
      for (std::size_t k = 0; k < p.variables.size() && !p.copy; ++k)
        if (p.levels[k].is_dynamic() && !p.levels[k].locates() && is_twice(p, k)) p = copied(p);
  }

  /// Nodes without order are come to where nothing else drives the loop, or else copied.
  void copy_unordered_nodes() {
    for (std::size_t n = 0; n < cost_.accesses.size(); ++n) {
      AccessPlan& p = cost_.accesses[n];
      for (std::size_t k = 0; k < p.variables.size() && !p.copy; ++k)
        if (p.levels[k].is_dynamic() && !p.levels[k].ordered && !is_twice(p, k) && !drives_alone(n, p.variables[k]))
          p = copied(p);
    }
  }

  /// Whether the loop over `v` goes where access number n leads, and no other is walked there.
  bool drives_alone(std::size_t n, const IndexVar& v) {
    std::size_t first = n;  // of those that are alike
    for (std::size_t m = cost_.accesses.size(); m-- > 0;) {
      const AccessPlan& other = cost_.accesses[m];
      const bool alike = other.access.tensor == cost_.accesses[n].access.tensor &&
                         other.access.indices == cost_.accesses[n].access.indices;
      if (alike) first = m;
      for (std::size_t k = 0; k < other.variables.size(); ++k)
        if (!alike && other.variables[k] == v && other.levels[k].walks()) return false;
    }
    current_ = scope_of(v);
    return formula_at(v, [](const LevelFormat& l) { return l.walks(); }) == Formula::atom(static_cast<int>(first));
  }

  /// Whether a level's variable is one of a level above, too, as in A(i,i).
  static bool is_twice(const AccessPlan& p, std::size_t level) {
    const auto end = p.variables.begin() + static_cast<std::ptrdiff_t>(level);
    return std::find(p.variables.begin(), end, p.variables[level]) != end;
  }

  double trips_at(const IndexVar& v) {
    current_ = scope_of(v);
    const double extent = static_cast<double>(problem_.extents.at(v));
    const Formula f = formula_at(v, [](const LevelFormat& l) { return l.walks(); });
    if (f.is_always()) return extent;
    double trips = 0;
    for (std::uint64_t term : f.terms()) {
      double least = extent;
      for (std::size_t n = 0; n < cost_.accesses.size() && n < 64; ++n) {
        if ((term >> n & 1) == 0) continue;
        const AccessPlan& p = cost_.accesses[n];
        for (std::size_t k = 0; k < p.variables.size(); ++k)
          if (p.variables[k] == v) least = std::min(least, p.fanout[k]);
      }
      trips += least;
    }
    return std::min(trips, extent);
  }

  const ScheduleProblem& problem_;
  const Group& group_;
  const VariableOrder& order_;
  const VariableOrder& sorted_;
  Expr current_;
  OrderCost cost_;
};

}  // namespace

OrderCost cost_of_order(const ScheduleProblem& problem, const Group& group, const VariableOrder& order,
                        const VariableOrder& sorted) {
  return Estimator(problem, group, order, sorted).run();
}

std::vector<VariableOrder> candidate_orders(const std::vector<IndexVar>& variables,
                                            const std::vector<VariableOrder>& hints) {
  std::vector<VariableOrder> orders;
  if (variables.size() <= max_permuted) {
    std::vector<std::size_t> index(variables.size());
    std::iota(index.begin(), index.end(), std::size_t{0});
    do {
      VariableOrder order;
      for (std::size_t n : index) order.push_back(variables[n]);
      orders.push_back(std::move(order));
    } while (std::next_permutation(index.begin(), index.end()));
    return orders;
  }
  const auto by_hint = [&](const VariableOrder& hint) {
    VariableOrder order = variables;
    std::stable_sort(order.begin(), order.end(),
                     [&](const IndexVar& a, const IndexVar& b) { return rank(hint, a) < rank(hint, b); });
    return order;
  };
  orders.push_back(variables);
  for (const VariableOrder& hint : hints) {
    VariableOrder order = by_hint(hint);
    if (std::find(orders.begin(), orders.end(), order) == orders.end()) orders.push_back(std::move(order));
  }
  return orders;
}

}  // namespace lacuna
