#include "lacuna/distribute/simulate/calibrate.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <memory>

#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/exchange/numbers.h"
#include "lacuna/distribute/execute/local_request.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/execute/settled_launch.h"
#include "lacuna/distribute/part/dense_copy.h"
#include "lacuna/distribute/simulate/rehearsal.h"
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

/// The median of rounds that go from where all ranks have met to where all meet again, so that a rank counts what it
/// waits for a processor, too; the time of a rank is told in the next round.
double median_of_rounds(Communicator& ranks, const std::function<void(int round)>& run) {
  constexpr std::size_t least = 11, most = 101;
  constexpr double enough = 0.05;  // seconds
  std::vector<double> times;
  double sum = 0, mine = 0;
  for (int round = 0; times.size() < least || (times.size() < most && sum < enough); ++round) {
    largest_over(ranks, 0);
    const Clock::time_point start = Clock::now();
    run(round);
    const double last = largest_over(ranks, mine);
    mine = seconds_since(start);
    if (round < 3) continue;
    times.push_back(last);
    sum += last;
  }
  std::nth_element(times.begin(), times.begin() + std::ssize(times) / 2, times.end());
  return times[times.size() / 2];
}

void measure_messages(Communicator& ranks, Rehearsal& rehearsal, Network& network) {
  if (ranks.ranks() == 1) return;
  network.latency = time_around(ranks, 8, 201);
  if (rehearsal.sends()) {
    const double time = median_of_rounds(ranks, [&](int) { rehearsal.send(ranks); });
    network.bandwidth = rehearsal.bandwidth(time, network.latency);
    return;
  }
  constexpr std::size_t usual = 1 << 22;
  const double time = time_around(ranks, usual, 11);
  network.bandwidth = static_cast<double>(usual) / std::max(time - network.latency, 1e-9);
}

/// Bytes per second that each rank copies at once with the others, of elements in stretches of so many, every other one
/// of which is taken: of single ones not quite, so that no two of them are apart alike.
double speed_of_copies(Communicator& ranks, double bytes, double stretch) {
  const auto count = static_cast<std::int64_t>(bytes / sizeof(double));
  const auto length = std::clamp<std::int64_t>(std::llround(stretch / sizeof(double)), 1, count);
  std::vector<Interval> taken;
  for (std::int64_t k = 0; k < count; k += length) {
    const std::int64_t begin = length == 1 ? 2 * k + k % 2 : 2 * k;
    taken.push_back({begin, begin + std::min(length, count - k)});
  }
  const IndexSet some = IndexSet::of_intervals(std::move(taken)), all = IndexSet::range(0, 2 * count);
  const DenseCopy copy({all}, {some}, {some}, dense_format(1), Type::Float64);
  const std::vector<double> from(static_cast<std::size_t>(2 * count), 1.0);
  std::vector<double> to(static_cast<std::size_t>(count));
  return bytes / median_of_rounds(ranks, [&](int) { copy.copy(from.data(), to.data()); });
}

/// Long stretches are copied as many bytes at a time as there are; what is short or scattered, some at a time.
void measure_copies(Communicator& ranks, const Rehearsal& rehearsal, Network& network) {
  constexpr double least = 1 << 20, some = 1 << 22, most = 1 << 26;
  const double share = rehearsal.share_in_stretches();
  double seconds_per_byte = 0;
  if (share < 1) seconds_per_byte += (1 - share) / speed_of_copies(ranks, some, 0);
  if (share > 0) {
    const double bytes = std::clamp(rehearsal.bytes_in_stretches(), least, most);
    seconds_per_byte += share / speed_of_copies(ranks, bytes, rehearsal.stretch());
  }
  network.copying = 1 / seconds_per_byte;
}

/// Turns in a second of the rank that has most, while the others do what they have: once that is done, they leave it
/// processors and memory that they shared. `compute` does what this rank has in a round.
double rate_of(Communicator& ranks, double turns, const std::function<void(int round)>& compute) {
  const double seconds = median_of_rounds(ranks, compute), all = largest_over(ranks, turns);
  return all > 0 && seconds > 0 ? all / seconds : Network().rate;
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
    for (const Transfer& transfer : step.transfers)
      if (static_cast<std::size_t>(transfer.task) == t)
        entries[static_cast<std::size_t>(transfer.operand)] +=
            sizes.of(static_cast<std::size_t>(transfer.operand), transfer.what).entries;
    turns += turns_of(prepared, step, t, entries);
  }
  return turns;
}

DistributedRequest with_copied_values(DistributedRequest request) {
  for (auto& [name, operand] : request.request.operands) operand.values = operand.values.copy();
  return request;
}

/// Plans of one step, run once with all that they move, and then without: in turns with values in other memory, as new
/// values are.
class SettledKernels {
 public:
  SettledKernels(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options)
      : engine_(engine), ranks_(ranks) {
    for (int k = 0; k < 2; ++k) {
      launches_.push_back(
          std::make_unique<PreparedLaunch>(prepare_launch(k == 0 ? request : with_copied_values(request), ranks)));
      runners_.push_back(std::make_unique<SettledLaunch>(*launches_.back(), options));
      run(k, true);
    }
  }
  void run(int round, bool changed = false) {
    const std::size_t k = static_cast<std::size_t>(round) % 2;
    runners_[k]->run(engine_, ranks_, std::vector<bool>(launches_[k]->plan.launch.operands.size(), changed));
  }

 private:
  Engine& engine_;
  Communicator& ranks_;
  std::vector<std::unique_ptr<PreparedLaunch>> launches_;
  std::vector<std::unique_ptr<SettledLaunch>> runners_;
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
      if (static_cast<std::size_t>(transfer.task) == t && static_cast<std::size_t>(transfer.operand) == o)
        parts.push_back(local_part(prepared_.tensor(o).whole(), transfer.what));
    const launch::Operand& operand = prepared_.plan.launch.operands[o];
    return join(parts, prepared_.plan.region_of(operand, prepared_.plan.tasks[t], step), prepared_.tensor(o).shape());
  }

  const PreparedLaunch& prepared_;
  std::vector<Kernel> kernels_;
};

}  // namespace

Network calibrated(Engine& engine, const DistributedRequest& request, Communicator& ranks, const Options& options) {
  Network network;
  network.ranks = ranks.ranks();
  network.overlaps = false;  // the ranks of one machine copy messages themselves
  std::optional<PreparedLaunch> prepared;
  const std::unique_ptr<Communicator> planner = nobody();
  double turns = 0;
  std::optional<Rehearsal> rehearsal;
  std::optional<FirstKernels> kernels;
  together(ranks, {"calibrating"}, [&] {
    prepared = prepare_launch(request, *planner);
    turns = turns_here(*prepared, ranks);
    rehearsal.emplace(request, ranks);
    if (prepared->plan.steps.size() > 1) kernels.emplace(engine, *prepared, ranks, options);
  });
  or_abort(ranks, [&] {
    measure_messages(ranks, *rehearsal, network);
    measure_copies(ranks, *rehearsal, network);
    if (kernels) {
      network.rate = rate_of(ranks, turns, [&](int) { kernels->run(); });
    } else {
      SettledKernels settled(engine, request, ranks, options);
      network.rate = rate_of(ranks, turns, [&](int round) { settled.run(round); });
    }
  });
  return network;
}

}  // namespace lacuna
