#include "lacuna/schedule/automatic/choose.h"

#include <algorithm>
#include <limits>
#include <set>

#include "lacuna/concrete/sparsity.h"
#include "lacuna/schedule/complete/append_order.h"
#include "lacuna/schedule/complete/first_levels.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

// Weights of the cost model, in loop iterations; measured orders of magnitude, not times.
constexpr double copy_weight = 12;          // to sort one entry of an operand into another format
constexpr double convert_weight = 12;       // to convert one entry of the result
constexpr double stream_weight = 25;        // to emit, sort and coalesce one stream entry
constexpr double workspace_weight = 2;      // to mark, list and drain one workspace entry
constexpr double stride_weight = 0.5;       // one access that the innermost loop strides over
constexpr double memory_weight = 0.2;       // one addition to memory instead of a register
constexpr double revisit_weight = 0.15;     // the same, where much else was added to since
constexpr double cached_entries = 1 << 15;  // of the result, until it is added to again
constexpr std::int64_t max_workspace = std::int64_t{1} << 27;

bool all_located(const Format& f) {
  for (const LevelFormat& l : f.levels())
    if (!l.spans()) return false;
  return true;
}

bool trailing_dense(const Format& f) { return f.order() > 0 && f.levels().back().full(); }

class LoopChooser {
 public:
  LoopChooser(const ScheduleProblem& problem, const GroupedStatement& grouped) : problem_(problem), grouped_(grouped) {
    repeats_ = grouped.left.size() != grouped.lhs.indices.size();
    for (const auto& g : grouped.groups)
      for (const Access& a : g.accesses)
        hints_.push_back(level_variables(a.indices, problem.operands.at(a.tensor.name()).format));
    hints_.insert(hints_.begin(), level_variables(grouped.lhs.indices, problem.result_format));
  }

  Choice run() {
    for (const VariableOrder& left : candidate_orders(grouped_.left, hints_)) {
      for (std::size_t shared = left.size() + 1; shared-- > 0;) try_shape(left, shared);  // at equal cost, share more
    }
    internal_check(best_cost_ < std::numeric_limits<double>::infinity(), "no schedule was found");
    return best_;
  }

 private:
  static VariableOrder level_variables(const std::vector<IndexVar>& indices, const Format& f) {
    VariableOrder order;
    for (int k = 0; k < f.order(); ++k) order.push_back(indices[static_cast<std::size_t>(f.map().mode_of(k))]);
    return order;
  }

  bool stores_unordered_nodes() const {
    const auto unordered = [](const LevelFormat& l) { return l.is_dynamic() && !l.ordered; };
    return std::any_of(problem_.operands.begin(), problem_.operands.end(), [&](const auto& operand) {
      const std::vector<LevelFormat>& levels = operand.second.format.levels();
      return std::any_of(levels.begin(), levels.end(), unordered);
    });
  }

  bool any_sums() const { return !grouped_.groups.back().sums.empty(); }
  bool one_plain_group() const { return grouped_.groups.size() == 1 && !any_sums(); }

  /// With nodes without order come to as they lie, and with copies of them.
  void try_shape(const VariableOrder& left, std::size_t shared) {
    const std::size_t rest = left.size() - shared;
    if (rest > 0 && one_plain_group()) return;
    if (stores_unordered_nodes()) try_shape(left, shared, false);
    try_shape(left, shared, true);
  }

  void try_shape(const VariableOrder& left, std::size_t shared, bool sorts) {
    Choice c;
    c.shared.assign(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(shared));
    const VariableOrder own(left.begin() + static_cast<std::ptrdiff_t>(shared), left.end());
    // What several terms share is a loop that comes to what they store together.
    sorted_ = grouped_.groups.size() > 1 ? c.shared : VariableOrder{};
    if (sorts) sorted_ = all_variables();
    double cost = 0;
    for (const Group& g : grouped_.groups) cost += cheapest_order(g, c, own);
    const Assembling assembled = assembling(c, left, own);
    cost += assembled.cost;
    if (!sorts && assembled.appends && comes_without_order(c)) return;
    if (cost < best_cost_) {
      best_cost_ = cost;
      best_ = std::move(c);
    }
  }

  VariableOrder all_variables() const {
    VariableOrder all;
    for (const auto& [v, extent] : problem_.extents) all.push_back(v);
    return all;
  }

  /// Whether a loop in which entries of the result are appended comes to nodes without order.
  static bool comes_without_order(const Choice& c) {
    for (const OrderCost& cost : c.costs)
      for (const AccessPlan& p : cost.accesses)
        for (std::size_t k = 0; k < p.variables.size(); ++k)
          if (p.levels[k].is_dynamic() && !p.levels[k].ordered && contains(c.shared, p.variables[k])) return true;
    return false;
  }

  /// Appends the group's best order under the shared loops to the choice; returns its cost.
  double cheapest_order(const Group& g, Choice& c, const VariableOrder& own) {
    VariableOrder loops = own;
    loops.insert(loops.end(), g.sums.begin(), g.sums.end());
    double least = std::numeric_limits<double>::infinity();
    VariableOrder best;
    OrderCost best_detail;
    for (const VariableOrder& inner : candidate_orders(loops, hints_)) {
      VariableOrder order = c.shared;
      order.insert(order.end(), inner.begin(), inner.end());
      const std::size_t unsummed = order.size();
      // The group lists inner sums first; their loops are inside those of the sums around them.
      for (auto s = g.nested.rbegin(); s != g.nested.rend(); ++s)
        if (std::find(order.begin() + static_cast<std::ptrdiff_t>(unsummed), order.end(), s->var) == order.end())
          order.push_back(s->var);
      OrderCost detail = cost_of_order(problem_, g, order, sorted_);
      const double cost = detail.iterations + copy_weight * detail.copies + locality_cost(detail, order);
      if (cost < least) {
        least = cost;
        best = std::move(order);
        best_detail = std::move(detail);
      }
    }
    c.orders.push_back(std::move(best));
    c.costs.push_back(std::move(best_detail));
    return least;
  }

  double locality_cost(const OrderCost& detail, const VariableOrder& order) const {
    if (order.empty()) return 0;
    const IndexVar& inner = order.back();
    double penalty = 0;
    const auto strides = [&](const std::vector<IndexVar>& variables) {
      return std::find(variables.begin(), variables.end(), inner) != variables.end() && !(variables.back() == inner);
    };
    for (const AccessPlan& p : detail.accesses)
      if (!p.copy && strides(p.variables)) penalty += stride_weight;
    const VariableOrder result = level_variables(grouped_.lhs.indices, problem_.result_format);
    if (strides(result)) penalty += stride_weight;
    if (!result.empty() && result.back() == inner) penalty += memory_weight;
    if (entries_until_revisited(order) > cached_entries) penalty += revisit_weight;
    return penalty * detail.innermost;
  }

  /// How many coordinates of the result the loops inside the outermost one that sums come to.
  double entries_until_revisited(const VariableOrder& order) const {
    const auto is_result = [&](const IndexVar& v) {
      return std::find(grouped_.left.begin(), grouped_.left.end(), v) != grouped_.left.end();
    };
    double entries = 1;
    for (auto v = std::find_if_not(order.begin(), order.end(), is_result); v != order.end(); ++v)
      if (is_result(*v)) entries *= static_cast<double>(problem_.extents.at(*v));
    return entries;
  }

  /// What it takes to assemble the result, beside the loops.
  struct Assembling {
    double cost;
    bool appends;  // entries, in the order in which the loops visit them
  };

  Assembling assembling(const Choice& c, const VariableOrder& left, const VariableOrder& own) const {
    double innermost = 0;
    for (const OrderCost& d : c.costs) innermost += d.innermost;
    const Format& f = problem_.result_format;
    // Partial sums cannot tell whether an entry of a bitmap is stored, so only dense results are added to in place.
    if (f.is_dense() || (own.empty() && all_located(f))) return {0, false};
    if (repeats_ || own.size() > 1) return {stream_weight * innermost, false};
    if (own.empty() && shares_pattern(c)) return {0, false};
    if (!own.empty() && adds_to_blocks(left, own)) return {0, true};
    const bool fits = (appendable(f) || f.has_nodes()) && level_variables(grouped_.lhs.indices, f) == left &&
                      (own.empty() || !trailing_dense(f));
    const double converting = fits ? 0 : convert_weight * innermost;
    if (own.empty()) return {converting, true};
    if (problem_.extents.at(own[0]) > max_workspace) return {stream_weight * innermost, false};
    return {converting + workspace_weight * innermost, true};
  }

  /// Whether the variables left are those of the result's trailing dense levels: then sums are added in place to the
  /// block of the entry that was just appended. What such a block holds must be stored for its pattern, not for its
  /// values.
  bool adds_to_blocks(const VariableOrder& left, const VariableOrder& own) const {
    const Format& f = problem_.result_format;
    const auto first_own = static_cast<int>(left.size() - own.size());
    if (!appendable(f) || level_variables(grouped_.lhs.indices, f) != left || first_own == 0) return false;
    if (!f.level(first_own - 1).packed()) return false;
    for (int k = first_own; k < f.order(); ++k)
      if (!f.level(k).full()) return false;
    const std::function<bool(const Access&)> structural = [&](const Access& a) {
      const auto operand = problem_.operands.find(a.tensor.name());
      return operand != problem_.operands.end() && !operand->second.format.is_dense();
    };
    return std::all_of(grouped_.groups.begin(), grouped_.groups.end(),
                       [&](const Group& g) { return concrete::always_structural(g.expr, structural); });
  }

  /// Whether the result has exactly the pattern of the first levels of one operand, accessed as the result is, and the
  /// loops visit it in place.
  bool shares_pattern(const Choice& c) const {
    if (grouped_.groups.size() != 1) return false;
    for (const auto& [v, extent] : problem_.extents)
      if (extent == 0) return false;
    const Group& g = grouped_.groups[0];
    const int levels = problem_.result_format.order();
    if (level_variables(grouped_.lhs.indices, problem_.result_format) != c.shared) return false;
    for (const AccessPlan& p : c.costs[0].accesses) {
      const OperandFacts& facts = problem_.operands.at(p.access.tensor.name());
      if (p.copy || facts.piece || !begins_alike(facts, problem_, levels)) continue;
      if (leads_through(p.variables, c.shared) && same_pattern(g, p.access)) return true;
    }
    return false;
  }

  /// Whether an access comes to the result's entries first, and to all that is under them.
  static bool leads_through(const std::vector<IndexVar>& variables, const VariableOrder& shared) {
    return variables.size() >= shared.size() && std::equal(shared.begin(), shared.end(), variables.begin()) &&
           std::set<IndexVar>(variables.begin(), variables.end()).size() == variables.size();
  }

  /// Present exactly where `pattern` is: every other operand is dense or annihilated nowhere.
  bool same_pattern(const Group& g, const Access& pattern) const {
    using concrete::Formula;
    const std::function<Formula(const Access&)> of_access = [&](const Access& a) {
      for (const NestedSum& s : g.nested)
        if (s.scalar == a.tensor) return concrete::presence(s.body, of_access);
      if (a.tensor == pattern.tensor && a.indices == pattern.indices) return Formula::atom(0);
      return problem_.operands.at(a.tensor.name()).format.is_dense() ? Formula::always() : Formula::atom(1);
    };
    return concrete::presence(g.expr, of_access) == Formula::atom(0);
  }

  const ScheduleProblem& problem_;
  const GroupedStatement& grouped_;
  std::vector<VariableOrder> hints_;
  VariableOrder sorted_;  // variables whose loops must come to their coordinates in order
  bool repeats_ = false;
  double best_cost_ = std::numeric_limits<double>::infinity();
  Choice best_;
};

}  // namespace

Choice choose(const ScheduleProblem& problem, const GroupedStatement& grouped) {
  return LoopChooser(problem, grouped).run();
}

}  // namespace lacuna
