#include "lacuna/distribute/plan/tree.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lacuna {
namespace {

class TreeMaker {
 public:
  using Members = std::vector<std::size_t>;

  TreeMaker(const Machine& machine, std::int64_t root, const std::vector<std::int64_t>& processors)
      : machine_(machine), root_(root), processors_(processors) {}

  std::vector<TreeEdge> run() {
    Members all;
    for (std::size_t k = 0; k < processors_.size(); ++k) all.push_back(k);
    spread(0, std::nullopt, all, 0);
    std::stable_sort(edges_.begin(), edges_.end(), [](const auto& a, const auto& b) { return a.round < b.round; });
    return std::move(edges_);
  }

 private:
  using Parent = std::optional<std::size_t>;

  std::int64_t processor_of(Parent member) const { return member ? processors_[*member] : root_; }

  /// From one processor to others of the same point of the levels before `level`.
  void spread(int level, Parent from, const Members& to, std::size_t round) {
    if (to.empty()) return;
    if (level == machine_.levels()) {  // several of one processor
      reach(to, from, round);
      return;
    }
    const std::int64_t point = points_below(level);
    std::map<std::int64_t, Members> groups;  // by point of this level
    for (const std::size_t k : to) groups[processors_[k] / point].push_back(k);
    std::vector<std::pair<Parent, Members>> within;
    Members heads;
    for (auto& [p, members] : groups) {
      if (p == processor_of(from) / point) {
        within.emplace_back(from, std::move(members));
        continue;
      }
      heads.push_back(members.front());
      within.emplace_back(members.front(), Members(members.begin() + 1, members.end()));
    }
    const std::size_t next = reach(heads, from, round);
    for (const auto& [head, members] : within) spread(level + 1, head, members, next);
  }

  /// The round after the last one.
  std::size_t reach(const Members& heads, Parent from, std::size_t round) {
    std::vector<Parent> have = {from};
    for (std::size_t k = 0; k < heads.size(); ++round)
      for (std::size_t h = 0, senders = have.size(); h < senders && k < heads.size(); ++h) {
        edges_.push_back({heads[k], have[h], round});
        have.emplace_back(heads[k++]);
      }
    return round;
  }

  /// How many processors are one point of a level.
  std::int64_t points_below(int level) const {
    std::int64_t points = 1;
    for (int l = level + 1; l < machine_.levels(); ++l) points *= machine_.level(l).points();
    return points;
  }

  const Machine& machine_;
  std::int64_t root_;
  const std::vector<std::int64_t>& processors_;
  std::vector<TreeEdge> edges_;
};

}  // namespace

std::vector<TreeEdge> tree_of(const Machine& machine, std::int64_t root, const std::vector<std::int64_t>& processors) {
  return TreeMaker(machine, root, processors).run();
}

}  // namespace lacuna
