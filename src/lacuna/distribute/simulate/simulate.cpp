#include "lacuna/distribute/simulate/simulate.h"

#include <algorithm>
#include <optional>
#include <set>

#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/simulate/copies.h"
#include "lacuna/distribute/simulate/overlap.h"
#include "lacuna/distribute/simulate/part_sizes.h"
#include "lacuna/distribute/simulate/turns.h"

namespace lacuna {
namespace {

double largest(const std::vector<double>& all) { return all.empty() ? 0 : *std::max_element(all.begin(), all.end()); }

double mean(const std::vector<double>& all) {
  double sum = 0;
  for (const double x : all) sum += x;
  return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

/// What each rank has to do at a time.
struct Load {
  Load(int ranks, std::size_t processors)
      : in(static_cast<std::size_t>(ranks)), out(in.size()), copied(in.size()), work(std::max(in.size(), processors)) {}

  void move(const RankMotion& what, const Network& network) {
    const auto a = static_cast<std::size_t>(what.from), b = static_cast<std::size_t>(what.to);
    const double seconds = what.from == what.to ? 0 : network.latency + what.bytes / network.bandwidth;
    out[a] += seconds;
    in[b] += seconds;
    copied[a] += what.copies.before.times * network.copy_time(what.bytes);
    copied[b] += what.copies.after.times * network.copy_time(what.bytes);
  }
  /// A rank sends and gets at the same time, and copies before and after.
  double moving() const {
    double most = 0;
    for (std::size_t r = 0; r < in.size(); ++r) most = std::max(most, std::max(in[r], out[r]) + copied[r]);
    return most;
  }

  std::vector<double> in, out, copied, work;  // seconds, seconds, seconds, turns
};

InPlace in_place_of(const Network& network) {
  return network.again && network.in_place > 0 && network.ranks > 0
             ? InPlace(static_cast<int>(network.ranks), network.in_place)
             : InPlace();
}

class Simulator {
 public:
  Simulator(const DistributedRequest& request, const Network& network, const MessageHook& on_message,
            const MotionHook& on_motion)
      : network_(network),
        on_message_(on_message),
        on_motion_(on_motion),
        planner_(nobody()),
        prepared_(prepare_launch(request, *planner_)),
        sizes_(prepared_),
        copies_(prepared_, sizes_, network.again, in_place_of(network)),
        held_(plan().tasks.size(), std::vector<PartSize>(launch().operands.size())),
        as_it_is_(plan().tasks.size(), std::vector<std::optional<PartSize>>(launch().operands.size())),
        turns_(static_cast<std::size_t>(plan().machine.processors())),
        placed_(static_cast<std::size_t>(plan().machine.memories())),
        most_held_(placed_.size()),
        results_(placed_.size()) {}

  Simulation run() {
    out_.tasks = std::ssize(plan().tasks);
    out_.overlaps = network_.overlaps;
    find_placed();
    for (const LaunchStep& step : plan().steps) simulate_step(step);
    reduce();
    out_.most_turns = largest(turns_);
    out_.mean_turns = mean(turns_);
    for (std::size_t m = 0; m < placed_.size(); ++m) placed_[m] += most_held_[m] + results_[m];
    out_.most_memory = static_cast<std::int64_t>(largest(placed_));
    out_.mean_memory = mean(placed_);
    return std::move(out_);
  }

 private:
  const LaunchPlan& plan() const { return prepared_.plan; }
  const launch::Launch& launch() const { return plan().launch; }

  void find_placed() {
    std::set<std::string> seen;
    for (std::size_t o = 0; o < launch().operands.size(); ++o) {
      if (!seen.insert(launch().operands[o].tensor).second) continue;
      for (const TensorPlacement::Part& part : plan().placements[o].parts)
        for (const std::int64_t p : part.processors)
          placed_[memory_of(p)] += static_cast<double>(sizes_.of(o, part.what).bytes);
    }
  }

  void simulate_step(const LaunchStep& step) {
    SimulatedStep simulated;
    simulated.at = step.at;
    Load load(ranks(), turns_.size());
    std::vector<std::vector<bool>> is_new(plan().tasks.size(), std::vector<bool>(launch().operands.size()));
    const std::vector<std::vector<std::optional<PartSize>>> before = as_it_is_;
    for (const Transfer& transfer : step.transfers) {
      const auto t = static_cast<std::size_t>(transfer.task), o = static_cast<std::size_t>(transfer.operand);
      const PartSize size = moved_by(transfer, before);
      if (!is_new[t][o]) held_[t][o] = {};
      // One part of the region that the task needs stays as it is; any other is put together, or cut out.
      const bool stays =
          !is_new[t][o] && plan().region_of(launch().operands[o], plan().tasks[t], step) == transfer.what.coordinates;
      as_it_is_[t][o] = stays ? std::optional(size) : std::nullopt;
      is_new[t][o] = true;
      held_[t][o].bytes += size.bytes;
      held_[t][o].entries += size.entries;
      const std::int64_t bytes = moves_values(o) ? size.values : size.bytes, to = plan().tasks[t].processor;
      const int from_rank = rank_of(transfer.from), to_rank = rank_of(to);
      move(simulated.traffic, {out_.steps.size(), launch().operands[o].tensor, transfer.from, to, bytes});
      if (network_.again && network_.in_place > 0 && copies_.is_read_in_place(transfer)) continue;
      move(load, from_rank, to_rank, static_cast<double>(bytes), copies_of(transfer, step, from_rank == to_rank));
    }
    forget_what_is_left(step, is_new);
    compute(step, load, simulated);
    simulated.moving = load.moving();
    simulated.computing = largest(load.work) / network_.rate;
    add(out_.fetches, simulated.traffic);
    out_.steps.push_back(std::move(simulated));
  }

  /// Where nothing is stored of what a task needs next, nothing comes to it.
  void forget_what_is_left(const LaunchStep& step, const std::vector<std::vector<bool>>& is_new) {
    if (out_.steps.empty()) return;
    const LaunchStep& before = plan().steps[out_.steps.size() - 1];
    for (std::size_t t = 0; t < is_new.size(); ++t) {
      for (std::size_t o = 0; o < is_new[t].size(); ++o) {
        const Task& task = plan().tasks[t];
        const launch::Operand& operand = launch().operands[o];
        if (is_new[t][o] || plan().region_of(operand, task, step) == plan().region_of(operand, task, before)) continue;
        held_[t][o] = {};
        as_it_is_[t][o] = std::nullopt;
      }
    }
  }

  /// Whether values of an operand that is not dense move alone.
  bool moves_values(std::size_t o) const {
    return network_.again && copies_.moves_values(o) && !prepared_.tensor(o).shape().format.is_dense();
  }

  /// What a transfer moves, given what tasks had before as they had got it.
  PartSize moved_by(const Transfer& transfer, const std::vector<std::vector<std::optional<PartSize>>>& before) {
    const auto o = static_cast<std::size_t>(transfer.operand);
    if (!transfer.neighbour) return sizes_.of(o, transfer.what);
    const std::optional<PartSize>& got = before[static_cast<std::size_t>(*transfer.neighbour)][o];
    return got ? *got : sizes_.joined(o, transfer.what);
  }

  int ranks() const { return static_cast<int>(network_.ranks > 0 ? network_.ranks : plan().machine.memories()); }
  int rank_of(std::int64_t processor) const { return lacuna::rank_of(processor, plan().machine, ranks()); }
  std::size_t memory_of(std::int64_t processor) const {
    return static_cast<std::size_t>(plan().machine.memory_of(processor));
  }

  Copies copies_of(const Transfer& transfer, const LaunchStep& step, bool is_here) {
    return network_.copying > 0 ? copies_.of(transfer, step, is_here) : Copies{};
  }

  void move(Traffic& traffic, const SimulatedMessage& message) const {
    count(traffic, plan().machine, message.bytes, message.from, message.to);
    if (on_message_ && memory_of(message.from) != memory_of(message.to)) on_message_(message);
  }

  void move(Load& load, int from, int to, double bytes, const Copies& copies) const {
    const RankMotion what{out_.steps.size(), from, to, bytes, copies};
    load.move(what, network_);
    if (on_motion_) on_motion_(what);
  }

  void compute(const LaunchStep& step, Load& load, SimulatedStep& simulated) {
    std::vector<double> held(placed_.size()), step_turns(turns_.size());
    for (std::size_t t = 0; t < plan().tasks.size(); ++t) {
      const auto p = static_cast<std::size_t>(plan().tasks[t].processor);
      for (const PartSize& each : held_[t])
        held[memory_of(plan().tasks[t].processor)] += static_cast<double>(each.bytes);
      if (!plan().contributes(plan().tasks[t], step)) continue;
      const double turns = turns_of(prepared_, step, t, entries_of(t));
      turns_[p] += turns;
      step_turns[p] += turns;
      const int rank = rank_of(plan().tasks[t].processor);
      // Ranks that are given compute with what they have; else each processor is one by itself.
      load.work[network_.ranks > 0 ? static_cast<std::size_t>(rank) : p] += turns;
      if (network_.again && network_.copying > 0)
        copies_.within(t, step, [&](std::int64_t bytes, const Copies& copies) {
          move(load, rank, rank, static_cast<double>(bytes), copies);
        });
    }
    double most = 0;
    for (std::size_t m = 0; m < held.size(); ++m) {
      most_held_[m] = std::max(most_held_[m], held[m]);
      most = std::max(most, placed_[m] + held[m]);
    }
    simulated.most_turns = largest(step_turns);
    simulated.mean_turns = mean(step_turns);
    simulated.most_memory = static_cast<std::int64_t>(most);
  }

  std::vector<std::int64_t> entries_of(std::size_t t) const {
    std::vector<std::int64_t> entries;
    for (std::size_t o = 0; o < held_[t].size(); ++o) entries.push_back(held_[plan().fetcher(o, t)][o].entries);
    return entries;
  }

  void reduce() {
    const ReductionPlan& reduction = prepared_.reduction;
    const auto processor_of = [&](std::size_t k) { return plan().tasks[reduction.contributions[k].task].processor; };
    out_.knows_result = prepared_.local_format().is_dense();
    const std::int64_t value = size_of(prepared_.sum_type);
    const double distinct = out_.knows_result ? 1 : share_of_distinct(prepared_);
    for (std::size_t k = 0; k < reduction.contributions.size(); ++k) {
      const auto& [task, region] = reduction.contributions[k];
      results_[memory_of(processor_of(k))] += out_.knows_result
                                                  ? static_cast<double>(volume_of(region) * value)
                                                  : distinct * entries_of_result(prepared_, sizes_, task, region) *
                                                        static_cast<double>(value + coordinate_bytes());
    }
    Load load(ranks(), turns_.size());
    for_each_route(prepared_, ranks(), [&](ResultRoute&& route) {
      const std::vector<IndexSet> region = region_of(prepared_, route);
      const std::int64_t bytes = out_.knows_result ? volume_of(region) * value : 0;
      for (const std::int64_t owner : route.owners)
        move(out_.reductions, {{}, launch().result.tensor, processor_of(route.contribution), owner, bytes});
      if (network_.copying == 0) return move(load, route.from, route.to, static_cast<double>(bytes), {});
      if (out_.knows_result) return move(load, route.from, route.to, static_cast<double>(bytes), copies_.of(route));
      const double entries = distinct * entries_of_result(prepared_, sizes_, task_of(route), region);
      const auto coordinates = static_cast<double>(coordinate_bytes());
      move(load, route.from, route.to, entries * (static_cast<double>(value) + (network_.again ? 0 : coordinates)),
           copies_.of(route));
      // The pattern is compared with that of the run before.
      if (network_.again && !route.stays_as_it_is())
        move(load, route.from, route.from, entries * coordinates, {{1, 1}, {}});
    });
    out_.reducing = load.moving();
  }

  std::size_t task_of(const ResultRoute& route) const {
    return prepared_.reduction.contributions[route.contribution].task;
  }
  /// Of an entry of the result, about.
  std::int64_t coordinate_bytes() const {
    std::int64_t bytes = 0;
    for (int k = 0; k < prepared_.local_format().order(); ++k)
      if (!prepared_.local_format().level(k).full()) bytes += size_of(Type::Int32);
    return bytes;
  }

  const Network& network_;
  const MessageHook& on_message_;
  const MotionHook& on_motion_;
  std::unique_ptr<Communicator> planner_;
  PreparedLaunch prepared_;
  PartSizes sizes_;
  CopyCounter copies_;
  std::vector<std::vector<PartSize>> held_;  // by task and operand
  std::vector<std::vector<std::optional<PartSize>>>
      as_it_is_;                                      // of that what one transfer brought, and nothing changed
  std::vector<double> turns_;                         // by processor
  std::vector<double> placed_, most_held_, results_;  // by memory
  Simulation out_{plan().machine, {}, {}, {}, true, 0, 0, 0, 0, 0, 0, true};
};

}  // namespace

double Simulation::seconds() const {
  double sum = reducing;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const double next = s + 1 < steps.size() ? steps[s + 1].moving : 0;
    sum += (s == 0 ? steps[0].moving : 0) + (overlaps ? std::max(steps[s].computing, next) : steps[s].computing + next);
  }
  return sum;
}

Simulation simulate(const DistributedRequest& request, const Network& network, const MessageHook& on_message,
                    const MotionHook& on_motion) {
  return Simulator(request, network, on_message, on_motion).run();
}

}  // namespace lacuna
