#include "lacuna/schedule/automatic/threads.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "lacuna/concrete/whole.h"
#include "lacuna/schedule/automatic/lists.h"
#include "lacuna/schedule/automatic/warps.h"
#include "lacuna/schedule/cost/estimate.h"
#include "lacuna/schedule/cost/time.h"
#include "lacuna/schedule/problem/tree.h"

namespace lacuna {
namespace {

using concrete::Forall;
using concrete::Race;
using concrete::Role;
using concrete::Stmt;

/// The outermost loop of each nest: that of the result first, then those of what is computed before it.
void collect_outermost(const Stmt& s, std::vector<const Forall*>& loops) {
  if (const auto* f = std::get_if<Forall>(&s->kind)) loops.push_back(f);
  const auto* w = std::get_if<concrete::Where>(&s->kind);
  if (w == nullptr) return;
  collect_outermost(w->consumer, loops);
  collect_outermost(w->producer, loops);
}

/// Whether a directive that names the variable would also put a loop below a serial one on threads.
bool is_below_serial(const Stmt& s, const IndexVar& v, bool below = false) {
  return concrete::match(
      s,
      [&](const Forall& f) {
        if (f.var == v && below) return true;
        return is_below_serial(f.body, v, below || (f.how.unit == concrete::Unit::Serial && !(f.var == v)));
      },
      [&](const concrete::Where& w) {
        return is_below_serial(w.consumer, v, below) || is_below_serial(w.producer, v, below);
      },
      [](const concrete::Assign&) { return false; },
      [&](const concrete::Sequence& q) {
        return std::any_of(q.statements.begin(), q.statements.end(),
                           [&](const Stmt& x) { return is_below_serial(x, v, below); });
      });
}

class Threads {
 public:
  Threads(ScheduleTrials& trials, Schedule& schedule, Scheduled& best)
      : trials_(trials),
        problem_(trials.problem()),
        schedule_(schedule),
        best_(best),
        serial_(best.program),
        turns_(turns()) {}

  void run() {
    std::vector<const Forall*> loops;
    collect_outermost(serial_.root, loops);
    if (loops.empty() || is_short(appends_at_once() ? turns_to_put_together : 1)) return;
    std::set<IndexVar> seen;
    for (const Forall* f : loops) {
      if (!seen.insert(f->var).second || is_below_serial(serial_.root, f->var)) continue;
      if (is_best_walked_by_one(serial_, *f)) continue;
      if (put_on_threads(*f) && f == loops.front()) count_first();
    }
  }

 private:
  /// How many times the turns that pay for threads there have to be where what each has made is put together.
  static constexpr double turns_to_put_together = 4;

  bool put_on_threads(const Forall& f) {
    if (problem_.device) {
      if (put_on_warps(trials_, schedule_, best_, f.var)) return true;
      for (const Race race : {Race::NoRaces, Race::ParallelReduction, Race::Atomics})
        if ((race != Race::Atomics || !rounds_by_order(problem_)) &&
            take(directive::Parallelize{f.var.name(), concrete::Unit::GpuThread, race}))
          return true;
      return false;
    }
    for (const Race race : {Race::NoRaces, Race::ParallelReduction, Race::Temporary}) {
      if (race == Race::Temporary && !pays_for_own_arrays(f)) continue;
      if (take(directive::Parallelize{f.var.name(), concrete::Unit::CpuThread, race})) return true;
    }
    return false;
  }

  bool take(DirectiveKind kind) {
    Schedule next = schedule_;
    next.directives.push_back({std::move(kind), {}});
    auto taken = trials_.completed(next);
    if (!taken || !pays_for_arrays(*taken)) return false;
    best_ = std::move(*taken);
    schedule_ = std::move(next);
    return true;
  }

  /// One thread fills nodes. Threads append to arrays instead, whose entries are put together and then put into nodes.
  /// That pays where two threads, the fewest there are, save more.
  bool pays_for_arrays(const Scheduled& by_threads) const {
    constexpr double seconds_a_fill = 1e-4, seconds_an_entry = 6e-9;
    if (!best_.program.result().format.has_nodes() || by_threads.program.result().format.has_nodes()) return true;
    if (problem_.turns_worth_threads == 0) return true;  // threads are worth it whatever they cost
    const double saved = cost::seconds(best_, problem_) / 2;
    return saved > seconds_a_fill + seconds_an_entry * estimated().result_entries;
  }

  /// Whether entries are appended as they are found, and no workspace collects them before.
  bool appends_at_once() const {
    const auto& all = best_.program.tensors;
    return best_.program.result().assembly == concrete::Assembly::Append &&
           std::none_of(all.begin(), all.end(), [](const concrete::Tensor& t) { return t.role == Role::Workspace; });
  }

  /// Appending on threads means moving what each has made. Where no workspace has to be filled to know which entries
  /// there are, it is quicker to count them first, once there are more than caches hold.
  void count_first() {
    constexpr double entries_beyond_caches = 1e6;
    if (!appends_at_once() || estimated().result_entries < entries_beyond_caches) return;
    take(directive::Assemble{directive::Assemble::Strategy::Insert, problem_.statement.lhs.tensor.name()});
  }

  cost::Estimate estimated() const {
    return cost::estimate(best_.program, iteration::analyze(best_.program), cost::count_operands(best_, problem_));
  }

  /// The turns that each loop is expected to take in all; where BLAS multiplies matrices, those of the loops that it
  /// takes the place of.
  std::vector<double> turns() const {
    std::vector<double> all;
    for (const cost::LoopEstimate& l : estimated().loops) all.push_back(l.trips > 0 ? l.trips : l.work.operations / 2);
    return all;
  }

  /// Whether threads would be started for less than it takes to start them.
  bool is_short(double times) const {
    return std::accumulate(turns_.begin(), turns_.end(), 0.0) < times * problem_.turns_worth_threads;
  }

  /// Whether so much is added that each thread may add to an array of its own, and these be added up: a dense result's
  /// by all threads at once, those of workspaces by one thread after the other.
  bool pays_for_own_arrays(const Forall& f) const {
    if (is_short(turns_to_put_together)) return false;
    double cost = 0;
    std::set<TensorVar> seen;
    tree::each_assignment(f.body, [&](const concrete::Assign& a, const auto&) {
      if (seen.insert(a.target.tensor).second) cost = std::max(cost, cost_of_own(a.target));
    });
    return *std::max_element(turns_.begin(), turns_.end()) >= cost;
  }

  /// The turns that pay for one array for each thread.
  double cost_of_own(const Access& target) const {
    const concrete::Tensor& t = serial_.at(target.tensor);
    if (t.role == Role::Scalar) return 0;
    double size = 1;
    for (int mode = 0; mode < t.format.order(); ++mode) size *= extent(t, mode, target);
    constexpr double all_at_once = 2, one_by_one = 8;
    return size * (t.role == Role::Result ? all_at_once : one_by_one);
  }

  double extent(const concrete::Tensor& t, int mode, const Access& target) const {
    if (t.role == Role::Workspace) return static_cast<double>(concrete::room_along(serial_, t.var, mode));
    const auto extent = serial_.extents.find(target.indices[static_cast<std::size_t>(mode)]);
    return extent == serial_.extents.end() ? 1 : static_cast<double>(extent->second);
  }

  ScheduleTrials& trials_;
  const ScheduleProblem& problem_;
  Schedule& schedule_;
  Scheduled& best_;
  const concrete::Program serial_;
  std::vector<double> turns_;  // of the serial program's loops
};

/// No array grows on a device: entries are counted first.
void count_for_device(ScheduleTrials& trials, Schedule& schedule, Scheduled& best) {
  if (best.program.result().assembly != concrete::Assembly::Append) return;
  Schedule next = schedule;
  const std::string& result = trials.problem().statement.lhs.tensor.name();
  next.directives.push_back({directive::Assemble{directive::Assemble::Strategy::Insert, result}, {}});
  trials.take(std::move(next), schedule, best);
}

}  // namespace

void put_on_threads(ScheduleTrials& trials, Schedule& schedule, Scheduled& best) {
  if (trials.problem().device) count_for_device(trials, schedule, best);
  Threads(trials, schedule, best).run();
}

}  // namespace lacuna
