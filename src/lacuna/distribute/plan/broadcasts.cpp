#include "lacuna/distribute/plan/broadcasts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "lacuna/distribute/plan/holders.h"
#include "lacuna/distribute/plan/tree.h"

namespace lacuna {
namespace {

using Numbers = std::vector<std::size_t>;  // of transfers

class Broadcaster {
 public:
  Broadcaster(LaunchPlan& plan, const std::vector<bool>& is_dense)
      : plan_(plan), is_dense_(is_dense), transfers_(plan.steps.front().transfers), rounds_(transfers_.size()) {}

  void run() {
    if (transfers_.size() < smallest_tree) return;
    for (const Numbers& group : groups())
      if (group.size() >= smallest_tree) broadcast(group);
    const std::size_t last = *std::max_element(rounds_.begin(), rounds_.end());
    if (last == 0) return;
    std::vector<LaunchStep> before(last + 1, {plan_.steps.front().at, {}, true});
    for (std::size_t k = 0; k < transfers_.size(); ++k) before[rounds_[k]].transfers.push_back(transfers_[k]);
    plan_.steps.front().transfers = std::move(before.back().transfers);
    before.pop_back();
    plan_.steps.insert(plan_.steps.begin(), before.begin(), before.end());
  }

 private:
  /// Transfers of the same from one processor to others, where they bring all that a task needs of an operand.
  std::vector<Numbers> groups() const {
    std::map<std::pair<int, std::int64_t>, int> transfers;  // by operand and task
    for (const Transfer& each : transfers_) ++transfers[{each.operand, each.task}];
    std::vector<Numbers> all;
    std::map<std::tuple<int, std::int64_t, std::int64_t>, Holders> by_source;  // of groups
    for (std::size_t k = 0; k < transfers_.size(); ++k) {
      const Transfer& each = transfers_[k];
      if (!is_dense_[static_cast<std::size_t>(each.operand)] || !each.part ||
          transfers.at({each.operand, each.task}) > 1 || is_here(each) || each.what.cuts_positions())
        continue;
      Holders& of_source = by_source[{each.operand, *each.part, each.from}];
      std::optional<std::size_t> group;
      of_source.for_each(each.what.coordinates, [&](std::int64_t g) { group = static_cast<std::size_t>(g); });
      if (!group) {
        group = all.size();
        all.emplace_back();
        of_source.add(&each.what.coordinates, static_cast<std::int64_t>(*group));
      }
      all[*group].push_back(k);
    }
    return all;
  }

  bool is_here(const Transfer& each) const { return distance(plan_.machine, each.from, receiver(each)) == 0; }
  std::int64_t receiver(const Transfer& each) const {
    return plan_.tasks[static_cast<std::size_t>(each.task)].processor;
  }

  void broadcast(const Numbers& group) {
    std::vector<std::int64_t> receivers;
    for (const std::size_t k : group) receivers.push_back(receiver(transfers_[k]));
    for (const TreeEdge& edge : tree_of(plan_.machine, transfers_[group.front()].from, receivers)) {
      Transfer& transfer = transfers_[group[edge.child]];
      if (edge.parent) {
        const Transfer& parent = transfers_[group[*edge.parent]];
        transfer.part.reset();
        transfer.neighbour = parent.task;
        transfer.from = receiver(parent);
      }
      rounds_[group[edge.child]] = edge.round;
    }
  }

  LaunchPlan& plan_;
  const std::vector<bool>& is_dense_;
  std::vector<Transfer> transfers_;
  std::vector<std::size_t> rounds_;  // by transfer: the first one for all that is not passed on
};

}  // namespace

void add_broadcasts(LaunchPlan& plan, const std::vector<bool>& is_dense) {
  if (!plan.steps.empty()) Broadcaster(plan, is_dense).run();
}

}  // namespace lacuna
