#include "lacuna/distribute/simulate/calibrate.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/execute/local_request.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/execute/result_routes.h"
#include "lacuna/distribute/execute/settled_launch.h"
#include "lacuna/distribute/simulate/rehearsal.h"
#include "lacuna/distribute/simulate/rounds.h"
#include "lacuna/distribute/simulate/sample_motions.h"
#include "lacuna/distribute/simulate/simulate.h"
#include "lacuna/distribute/simulate/turns.h"

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(const Clock::time_point& start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The mean time of a run, after one that does not count: where ranks share processors, they take turns that are longer
/// than many a run.
template <typename Run>
double mean_time(const Run& run, int times) {
  run();
  const Clock::time_point start = Clock::now();
  for (int k = 0; k < times; ++k) run();
  return seconds_since(start) / times;
}

/// Of a message of so many bytes that each rank sends to the next one.
double time_around(Communicator& ranks, std::size_t bytes, int times) {
  const int next = (ranks.rank() + 1) % ranks.ranks(), before = (ranks.rank() + ranks.ranks() - 1) % ranks.ranks();
  Bytes out(bytes), in(bytes);
  const double mine = mean_time(
      [&] {
        ranks.receive_in_place(before, in);
        ranks.send_in_place(next, out);
        ranks.finish_receives();
        ranks.finish_sends();
      },
      times);
  return largest_over(ranks, mine);
}

/// The tasks of this rank that contribute something to the first step.
std::vector<std::size_t> tasks_here(const LaunchPlan& plan, const Communicator& ranks) {
  std::vector<std::size_t> all;
  for (std::size_t t = 0; t < plan.tasks.size(); ++t)
    if (rank_of(plan, plan.tasks[t].processor, ranks) == ranks.rank() &&
        plan.contributes(plan.tasks[t], plan.steps.front()))
      all.push_back(t);
  return all;
}

double turns_here(const PreparedLaunch& prepared, const Communicator& ranks) {
  PartSizes sizes(prepared);
  const LaunchStep& step = prepared.plan.steps.front();
  double turns = 0;
  for (const std::size_t t : tasks_here(prepared.plan, ranks)) {
    std::vector<std::int64_t> entries(prepared.plan.launch.operands.size());
    for (const Transfer& transfer : step.transfers) {
      const auto o = static_cast<std::size_t>(transfer.operand);
      if (static_cast<std::size_t>(transfer.task) == prepared.plan.fetcher(o, t))
        entries[o] += sizes.of(o, transfer.what).entries;
    }
    turns += turns_of(prepared, step, t, entries);
  }
  return turns;
}

DistributedRequest with_copied_values(DistributedRequest request) {
  for (auto& [name, operand] : request.request.operands) operand.values = operand.values.copy();
  return request;
}

/// Kernels of a plan of one step, apart from what it moves: in turns with values in other memory, as new values are,
/// and, where a result stays where it is computed, while the last one is kept, as programs do.
class SettledKernels {
 public:
  SettledKernels(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options)
      : engine_(engine),
        ranks_(ranks),
        launch_(prepare_launch(request, ranks)),
        others_(prepare_launch(with_copied_values(request), ranks).tensors),
        staying_(routes_of(launch_, ranks).all_here),
        runner_(launch_, options) {
    for (int n = 0; n < SettledLaunch::runs_to_settle; ++n) run(true);
    // What takes longer to bring is more than caches keep.
    constexpr double longest = 0.05;  // seconds
    const Clock::time_point start = Clock::now();
    runner_.fetch(ranks_);
    fetches_ = largest_over(ranks_, seconds_since(start)) < longest;
  }
  /// What was just brought to where a kernel reads it is in caches.
  void fetch() {
    if (!fetches_) return;
    std::swap(launch_.tensors, others_);
    runner_.fetch(ranks_);
  }
  void compute() { run(false); }

 private:
  void run(bool changed) {
    const Contributions& computed =
        runner_.run(engine_, ranks_, std::vector<bool>(launch_.plan.launch.operands.size(), changed));
    kept_.clear();
    for (const ResultRoute& route : staying_) kept_.push_back(computed.at(route.contribution)->storage.values);
  }

  Engine& engine_;
  Communicator& ranks_;
  PreparedLaunch launch_;
  std::map<std::string, DistributedTensorPtr> others_;  // for the next time
  std::vector<ResultRoute> staying_;
  std::vector<Array> kept_;
  SettledLaunch runner_;
  bool fetches_ = true;
};

/// The kernels of the first step of a plan of several.
class FirstKernels {
 public:
  FirstKernels(Engine& engine, const PreparedLaunch& prepared, const Communicator& ranks, const Options& options)
      : prepared_(prepared) {
    for (const std::size_t t : tasks_here(prepared.plan, ranks)) {
      const OperandPart part = [&](std::size_t o, const std::vector<IndexSet>& used) {
        return cut(fetched(t, o), used).storage;
      };
      kernels_.push_back({engine.prepare(
          local_request(prepared, prepared.plan.tasks[t], prepared.plan.steps.front(), part), options)});
    }
  }
  void run() {
    for (Kernel& kernel : kernels_) kernel.prepared.run_into(kernel.result);
  }

 private:
  struct Kernel {
    Prepared prepared;
    Storage result = {};
  };

  /// What a task needs of an operand, put together as plans do it.
  LocalPart fetched(std::size_t t, std::size_t o) const {
    const LaunchStep& step = prepared_.plan.steps.front();
    std::vector<LocalPart> parts;
    for (const Transfer& transfer : step.transfers)
      if (static_cast<std::size_t>(transfer.task) == prepared_.plan.fetcher(o, t) &&
          static_cast<std::size_t>(transfer.operand) == o)
        parts.push_back(local_part(prepared_.tensor(o).whole(), transfer.what));
    const launch::Operand& operand = prepared_.plan.launch.operands[o];
    return join(parts, prepared_.plan.region_of(operand, prepared_.plan.tasks[t], step), prepared_.tensor(o).shape());
  }

  const PreparedLaunch& prepared_;
  std::vector<Kernel> kernels_;
};

/// Of a plan of several steps, which must stay where it is.
Phase first_kernels(Engine& engine, const PreparedLaunch& prepared, const Communicator& ranks, const Options& options) {
  return {[kernels = std::make_shared<FirstKernels>(engine, prepared, ranks, options)] { kernels->run(); }};
}

/// Of a plan of one step. Collective.
Phase settled_kernels(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options) {
  const auto kernels = std::make_shared<SettledKernels>(engine, request, ranks, options);
  return {[kernels] { kernels->compute(); }, false, [kernels] { kernels->fetch(); }};
}

/// Where no messages are rehearsed.
double usual_bandwidth(Communicator& ranks, double latency) {
  constexpr std::size_t usual = 1 << 22;
  const double time = time_around(ranks, usual, 11);
  return static_cast<double>(usual) / std::max(time - latency, 1e-9);
}

}  // namespace

/// Kernels, of which a round takes so many turns, beside what else a run of a plan does.
class Calibration::Measured {
 public:
  Measured(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options)
      : ranks_(ranks) {
    const std::unique_ptr<Communicator> planner = nobody();
    together(ranks, {"calibrating"}, [&] {
      prepared_.emplace(prepare_launch(request, *planner));
      turns_ = turns_here(*prepared_, ranks);
      rehearsal_.emplace(request, ranks);
      if (prepared_->plan.steps.size() > 1) kernels_ = first_kernels(engine, *prepared_, ranks, options);
    });
    or_abort(ranks, [&] {
      sharing_.emplace(ranks);
      if (!kernels_.run) kernels_ = settled_kernels(engine, request, ranks, options);
      motions_.emplace(ranks, *rehearsal_);
      std::vector<Phase> phases{kernels_};
      motions_->add_to(phases);
      rounds_.emplace(ranks, *sharing_, std::move(phases));
    });
  }

  template <typename Times>
  Network network(const Times& times_of) {
    Network network;
    network.ranks = ranks_.ranks();
    network.overlaps = false;  // the ranks of one machine copy messages themselves
    network.in_place = in_place_among(ranks_);
    or_abort(ranks_, [&] { add(times_of(*rounds_), network); });
    return network;
  }

 private:
  void add(const std::vector<double>& times, Network& network) {
    // Of the rank that has most, while the others do what they have: once that is done, they leave it processors and
    // memory that they shared.
    const double most = largest_over(ranks_, turns_);
    if (most > 0 && times.front() > 0) network.rate = most / times.front();
    network.copying = motions_->copying(times);
    if (ranks_.ranks() == 1) return;
    network.latency = time_around(ranks_, 8, 201);
    network.bandwidth = rehearsal_->sends() ? rehearsal_->bandwidth(motions_->messages(times), network.latency)
                                            : usual_bandwidth(ranks_, network.latency);
  }

  Communicator& ranks_;
  std::optional<SharedProcessors> sharing_;
  std::optional<PreparedLaunch> prepared_;
  double turns_ = 0;
  std::optional<Rehearsal> rehearsal_;
  Phase kernels_;
  std::optional<SampleMotions> motions_;
  std::optional<Rounds> rounds_;
};

Calibration::Calibration(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options)
    : measured_(std::make_unique<Measured>(engine, request, ranks, options)) {}

Calibration::~Calibration() = default;

Network Calibration::quickest() {
  return measured_->network([](Rounds& rounds) { return rounds.least_medians(); });
}

Network Calibration::now() {
  constexpr std::size_t least = 5;
  return measured_->network([](Rounds& rounds) { return rounds.medians(least); });
}

Network calibrated(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options) {
  return Calibration(engine, request, ranks, options).quickest();
}

}  // namespace lacuna
