#include "lacuna/schedule/automatic/warps.h"

#include <algorithm>
#include <map>
#include <set>

#include "lacuna/schedule/cost/estimate.h"

// Threads of a warp share the innermost loops: those that sum into a scalar, and those along rows of dense results and
// workspaces. Neighbours then read, and store, neighbours; each thread for itself would be as far from the next one as
// rows are. What is outside of these loops, one thread stores while the others wait.
namespace lacuna {
namespace {

using concrete::Assign;
using concrete::Forall;
using concrete::Race;
using concrete::Role;

/// Work that one thread does while others wait costs as much as if a warp did it.
constexpr double least_share = 0.9;

class Warps {
 public:
  Warps(const Scheduled& best, const ScheduleProblem& problem)
      : program_(best.program),
        problem_(problem),
        nest_(iteration::analyze(best.program)),
        estimate_(cost::estimate(best.program, nest_, cost::count_operands(best, problem))) {}

  /// The directives for the threads of a warp; none where it does not pay.
  std::vector<DirectiveKind> find(const IndexVar& outermost) {
    visit(nest_.root, outermost, false);
    std::vector<DirectiveKind> found;
    double by_all = 0;
    for (const auto& [var, trips] : trips_) {
      if (alone_.contains(var)) continue;
      found.push_back(directive::Parallelize{var.name(), concrete::Unit::GpuThread, shared_.at(var)});
      by_all += trips;
    }
    return by_all > 0 && by_all >= least_share * all_ ? found : std::vector<DirectiveKind>{};
  }

 private:
  void visit(const iteration::Node& node, const IndexVar& outermost, bool inside) {
    const auto* f = std::get_if<Forall>(&node.stmt->kind);
    if (f != nullptr && inside && std::holds_alternative<Assign>(f->body->kind)) note(node, *f);
    for (const iteration::Node& each : node.children)
      visit(each, outermost, inside || (f != nullptr && f->var == outermost));
  }

  void note(const iteration::Node& node, const Forall& f) {
    const cost::LoopEstimate& estimate = estimate_.loops[static_cast<std::size_t>(node.loop)];
    const iteration::Loop& loop = nest_.loops[static_cast<std::size_t>(node.loop)];
    all_ += estimate.trips;
    const std::optional<Race> race = counts(loop) ? race_of(f, std::get<Assign>(f.body->kind)) : std::nullopt;
    if (!race || shared_.emplace(f.var, *race).first->second != *race) alone_.insert(f.var);
    if (estimate.starts > 0 && estimate.trips / estimate.starts >= problem_.turns_worth_warps)
      trips_[f.var] += estimate.trips;
  }

  /// How threads may share the loop: by their own sums of a scalar, or along a row.
  std::optional<Race> race_of(const Forall& f, const Assign& a) const {
    const concrete::Tensor& target = program_.at(a.target.tensor);
    if (target.role == Role::Scalar) return Race::ParallelReduction;
    const int last = target.format.order() - 1;
    const bool is_along_row = (target.role == Role::Result || target.role == Role::Workspace) &&
                              target.format.is_dense() && last >= 0 &&
                              a.target.indices[static_cast<std::size_t>(target.format.map().mode_of(last))] == f.var;
    return is_along_row ? std::optional(Race::NoRaces) : std::nullopt;
  }

  /// Whether a loop counts, through all of its extent or the positions of one level.
  bool counts(const iteration::Loop& loop) const {
    const std::vector<iteration::LevelUse>& walked = loop.walks.cursors;
    if (loop.iteration == iteration::Iteration::Full) return walked.empty();
    if (loop.iteration != iteration::Iteration::Walk || walked.size() != 1) return false;
    const LevelFormat& level = program_.at(nest_.path_of(walked[0]).tensor).format.level(walked[0].level);
    return level.packed() && level.unique;
  }

  const concrete::Program& program_;
  const ScheduleProblem& problem_;
  iteration::Nest nest_;
  cost::Estimate estimate_;
  std::map<IndexVar, Race> shared_;
  std::set<IndexVar> alone_;          // of which one thread of a warp has to run a loop
  std::map<IndexVar, double> trips_;  // of innermost loops that are long enough
  double all_ = 0;                    // of all innermost loops
};

}  // namespace

bool put_on_warps(ScheduleTrials& trials, Schedule& schedule, Scheduled& best, const IndexVar& outermost) {
  if (trials.problem().turns_worth_warps == 0) return false;
  const std::vector<DirectiveKind> shared = Warps(best, trials.problem()).find(outermost);
  if (shared.empty()) return false;
  Schedule next = schedule;
  next.directives.push_back({directive::Parallelize{outermost.name(), concrete::Unit::GpuWarp, Race::NoRaces}, {}});
  for (const DirectiveKind& each : shared) next.directives.push_back({each, {}});
  return trials.take(std::move(next), schedule, best);
}

}  // namespace lacuna
