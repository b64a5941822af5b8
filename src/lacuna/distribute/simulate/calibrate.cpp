#include "lacuna/distribute/simulate/calibrate.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/exchange/numbers.h"
#include "lacuna/distribute/execute/local_request.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/part/dense_copy.h"
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

/// The largest over the ranks. Collective: also a way to begin together.
double largest_over(Communicator& ranks, double mine) {
  double most = mine;
  for (const auto& each : gather_numbers(ranks, {std::bit_cast<std::int64_t>(mine)}))
    most = std::max(most, std::bit_cast<double>(each[0]));
  return most;
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

constexpr std::size_t large = std::size_t{1} << 22U;  // bytes

void measure_messages(Communicator& ranks, Network& network) {
  if (ranks.ranks() == 1) return;
  network.latency = time_around(ranks, 8, 201);
  const double time = time_around(ranks, large, 11);
  network.bandwidth = static_cast<double>(large) / std::max(time - network.latency, 1e-9);
}

/// Of elements that do not lie side by side.
void measure_copies(Communicator& ranks, Network& network) {
  constexpr std::int64_t count = large / sizeof(double);
  std::vector<std::int64_t> scattered;
  for (std::int64_t k = 0; k < count; ++k) scattered.push_back(2 * k + k % 2);
  const IndexSet some = IndexSet::of_coordinates(scattered), all = IndexSet::range(0, 2 * count);
  const DenseCopy copy({all}, {some}, {some}, dense_format(1), Type::Float64);
  const std::vector<double> from(static_cast<std::size_t>(2 * count), 1.0);
  std::vector<double> to(static_cast<std::size_t>(count));
  largest_over(ranks, 0);
  const double mine = mean_time([&] { copy.copy(from.data(), to.data()); }, 11);
  network.copying = static_cast<double>(large) / largest_over(ranks, mine);
}

/// The tasks of a rank, in the first step of a plan.
class Kernels {
 public:
  Kernels(Engine& engine, const PreparedLaunch& prepared, Communicator& ranks, const Options& options)
      : engine_(engine), prepared_(prepared), ranks_(ranks), options_(options) {
    const LaunchStep& step = prepared.plan.steps.front();
    for (std::size_t t = 0; t < prepared.plan.tasks.size(); ++t) {
      const Task& task = prepared.plan.tasks[t];
      const int rank = rank_of(task.processor, prepared.plan.machine.processors(), ranks.ranks());
      if (rank == ranks.rank() && prepared.plan.contributes(task, step)) add(t);
    }
  }

  /// Turns in a second of the rank that has most, while the others do what they have: once that is done, they leave it
  /// processors and memory that they shared.
  double rate() {
    time_of_rounds(true);  // does not count
    const double meeting = time_of_rounds(false);
    const double seconds = time_of_rounds(true) - meeting;
    const double most = largest_over(ranks_, turns_);
    return most > 0 && seconds > 0 ? most / seconds : Network().rate;
  }

 private:
  struct Kernel {
    Prepared prepared;
    Storage result = {};
  };

  /// Of a round in which all ranks run their tasks, or none, and meet.
  double time_of_rounds(bool computes) {
    constexpr int rounds = 9;
    largest_over(ranks_, 0);  // all begin now
    const Clock::time_point start = Clock::now();
    for (int k = 0; k < rounds; ++k) {
      if (computes)
        for (Kernel& kernel : kernels_) kernel.prepared.run_into(kernel.result);
      largest_over(ranks_, 0);
    }
    return largest_over(ranks_, seconds_since(start)) / rounds;
  }

  /// What a task needs of an operand, put together as plans do it.
  LocalPart fetched(std::size_t t, std::size_t o) const {
    const LaunchStep& step = prepared_.plan.steps.front();
    std::vector<LocalPart> parts;
    for (const Transfer& transfer : step.transfers)
      if (static_cast<std::size_t>(transfer.task) == t && static_cast<std::size_t>(transfer.operand) == o)
        parts.push_back(local_part(prepared_.tensor(o).whole(), transfer.what));
    const launch::Operand& operand = prepared_.plan.launch.operands[o];
    return join(parts, prepared_.plan.region_of(operand, prepared_.plan.tasks[t], step), prepared_.tensor(o).shape());
  }

  void add(std::size_t t) {
    const LaunchStep& step = prepared_.plan.steps.front();
    std::vector<std::int64_t> entries;
    const OperandPart part = [&](std::size_t o, const std::vector<IndexSet>& used) {
      const LocalPart all = fetched(t, o);
      entries.push_back(all.storage.stored());
      return cut(all, used).storage;
    };
    const Request local = local_request(prepared_, prepared_.plan.tasks[t], step, part);
    kernels_.push_back({engine_.prepare(local, options_)});
    turns_ += turns_of(prepared_, step, t, entries);
  }

  Engine& engine_;
  const PreparedLaunch& prepared_;
  Communicator& ranks_;
  const Options& options_;
  std::vector<Kernel> kernels_;
  double turns_ = 0;
};

}  // namespace

Network calibrated(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options) {
  Network network;
  network.ranks = ranks.ranks();
  network.overlaps = false;  // the ranks of one machine copy messages themselves
  std::optional<PreparedLaunch> prepared;
  const std::unique_ptr<Communicator> planner = nobody();
  std::optional<Kernels> kernels;
  together(ranks, {"calibrating"}, [&] {
    prepared = prepare_launch(request, *planner);
    kernels.emplace(engine, *prepared, ranks, options);
  });
  or_abort(ranks, [&] {
    measure_messages(ranks, network);
    measure_copies(ranks, network);
    network.rate = kernels->rate();
  });
  return network;
}

}  // namespace lacuna
