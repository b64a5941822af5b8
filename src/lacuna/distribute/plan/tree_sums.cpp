#include "lacuna/distribute/plan/tree_sums.h"

#include <algorithm>

#include "lacuna/distribute/plan/tree.h"

namespace lacuna {
namespace {

using Numbers = std::vector<std::size_t>;  // of contributions

class TreePlanner {
 public:
  TreePlanner(const LaunchPlan& plan, ReductionPlan& reduction) : plan_(plan), reduction_(reduction) {}

  void run() {
    std::vector<int> owners(reduction_.contributions.size());
    for (const Numbers& reaching : reduction_.reaching)
      for (const std::size_t k : reaching) ++owners[k];
    for (std::size_t p = 0; p < reduction_.reaching.size(); ++p) {
      Numbers alike;
      for (const std::size_t k : reduction_.reaching[p])
        if (owners[k] == 1 && is_last(k) && (alike.empty() || region(k) == region(alike.front()))) alike.push_back(k);
      if (alike.size() > smallest_tree) add_up(p, alike);
    }
  }

 private:
  /// What earlier steps complete is added up while later ones are computed.
  bool is_last(std::size_t k) const { return reduction_.contributions[k].last_step + 1 == plan_.steps.size(); }
  const std::vector<IndexSet>& region(std::size_t k) const { return reduction_.contributions[k].region; }
  std::int64_t processor_of(std::size_t k) const { return reduction_.processor_of(plan_, k); }

  /// Into the owner's own, if it has one.
  void add_up(std::size_t part, Numbers alike) {
    const std::int64_t owner = plan_.machine.memory_of(reduction_.owners.parts[part].processors.front());
    const auto own = std::find_if(alike.begin(), alike.end(),
                                  [&](std::size_t k) { return plan_.machine.memory_of(processor_of(k)) == owner; });
    const std::size_t root = own == alike.end() ? alike.front() : *own;
    alike.erase(std::find(alike.begin(), alike.end(), root));
    std::vector<std::int64_t> processors;
    for (const std::size_t k : alike) processors.push_back(processor_of(k));
    const std::vector<TreeEdge> edges = tree_of(plan_.machine, processor_of(root), processors);
    const std::size_t last = edges.back().round;
    if (reduction_.rounds.size() <= last) reduction_.rounds.resize(last + 1);
    for (const TreeEdge& edge : edges)
      reduction_.rounds[last - edge.round].push_back({alike[edge.child], edge.parent ? alike[*edge.parent] : root});
    Numbers& reaching = reduction_.reaching[part];
    reaching.erase(std::remove_if(reaching.begin(), reaching.end(),
                                  [&](std::size_t k) { return std::binary_search(alike.begin(), alike.end(), k); }),
                   reaching.end());
  }

  const LaunchPlan& plan_;
  ReductionPlan& reduction_;
};

}  // namespace

void add_up_in_trees(const LaunchPlan& plan, ReductionPlan& reduction) { TreePlanner(plan, reduction).run(); }

}  // namespace lacuna
