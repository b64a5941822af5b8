#include "lacuna/distribute/simulate/simulate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "lacuna/distribute/run/prepare.h"
#include "lacuna/distribute/run/result_routes.h"
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

/// How long each memory sends and receives on the way to a step.
class Load {
 public:
  explicit Load(std::size_t memories) : in_(memories), out_(memories) {}

  void move(std::size_t from, std::size_t to, std::int64_t bytes, const Network& network) {
    if (from == to) return;
    const double seconds = network.latency + static_cast<double>(bytes) / network.bandwidth;
    out_[from] += seconds;
    in_[to] += seconds;
  }
  /// Seconds until the last memory is done, each of which sends and receives at the same time.
  double moving() const { return std::max(largest(in_), largest(out_)); }

 private:
  std::vector<double> in_, out_;  // seconds
};

class Simulator {
 public:
  Simulator(const DistributedRequest& request, const Network& network, const MessageHook& on_message)
      : network_(network),
        on_message_(on_message),
        planner_(nobody()),
        prepared_(prepare_launch(request, *planner_)),
        sizes_(prepared_),
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
    simulated.only_moves = step.only_moves;
    Load load(placed_.size());
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
      const std::int64_t to = plan().tasks[t].processor;
      move(simulated.traffic, {out_.steps.size(), launch().operands[o].tensor, transfer.from, to, size.bytes});
      load.move(memory_of(transfer.from), memory_of(to), size.bytes, network_);
    }
    forget_what_is_left(step, is_new);
    compute(step, simulated);
    simulated.moving = load.moving();
    simulated.computing = simulated.most_turns / network_.rate;
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

  /// What a transfer moves, given what tasks had before as they had got it.
  PartSize moved_by(const Transfer& transfer, const std::vector<std::vector<std::optional<PartSize>>>& before) {
    const auto o = static_cast<std::size_t>(transfer.operand);
    if (!transfer.neighbour) return sizes_.of(o, transfer.what);
    const std::optional<PartSize>& got = before[static_cast<std::size_t>(*transfer.neighbour)][o];
    return got ? *got : sizes_.joined(o, transfer.what);
  }

  std::size_t memory_of(std::int64_t processor) const {
    return static_cast<std::size_t>(plan().machine.memory_of(processor));
  }

  void move(Traffic& traffic, const SimulatedMessage& message) const {
    count(traffic, plan().machine, message.bytes, message.from, message.to);
    if (on_message_ && memory_of(message.from) != memory_of(message.to)) on_message_(message);
  }

  void compute(const LaunchStep& step, SimulatedStep& simulated) {
    std::vector<double> held(placed_.size()), step_turns(turns_.size());
    for (std::size_t t = 0; t < plan().tasks.size(); ++t) {
      const auto p = static_cast<std::size_t>(plan().tasks[t].processor);
      for (const PartSize& each : held_[t])
        held[memory_of(plan().tasks[t].processor)] += static_cast<double>(each.bytes);
      if (!plan().contributes(plan().tasks[t], step)) continue;
      const double turns = turns_of(prepared_, step, t, entries_of(t));
      turns_[p] += turns;
      step_turns[p] += turns;
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
    const auto processor_of = [&](std::size_t k) { return reduction.processor_of(plan(), k); };
    out_.knows_result = prepared_.local_format().is_dense();
    const std::int64_t value = size_of(prepared_.sum_type);
    const double distinct = out_.knows_result ? 1 : share_of_distinct(prepared_);
    std::set<std::pair<std::size_t, std::size_t>> buffers;  // by task
    for (std::size_t k = 0; k < reduction.contributions.size(); ++k) {
      const ReductionPlan::Contribution& each = reduction.contributions[k];
      double& held = results_[memory_of(processor_of(k))];
      if (!out_.knows_result)
        held += distinct * entries_of_result(prepared_, sizes_, each.task, each.region) *
                static_cast<double>(value + coordinate_bytes());
      else if (buffers.emplace(each.task, each.buffer).second)
        held += static_cast<double>(volume_of(each.region) * value);
    }
    for (const std::vector<ReductionPlan::Addition>& round : reduction.rounds) {
      Load load(placed_.size());
      for (const auto& [from, into] : round) {
        const std::int64_t bytes = volume_of(reduction.contributions[from].region) * value;
        move(out_.reductions, {{}, launch().result.tensor, processor_of(from), processor_of(into), bytes});
        load.move(memory_of(processor_of(from)), memory_of(processor_of(into)), bytes, network_);
      }
      out_.reducing += load.moving();
    }
    const bool in_the_end = !out_.knows_result || !reduction.ends_early(out_.steps.size());
    std::map<std::size_t, Load> loads;  // by step
    for_each_route(prepared_, static_cast<int>(placed_.size()), [&](ResultRoute&& route) {
      const std::size_t step =
          in_the_end ? out_.steps.size() - 1 : reduction.contributions[route.contribution].last_step;
      const std::int64_t bytes = out_.knows_result ? volume_of(region_of(prepared_, route)) * value : 0;
      for (const std::int64_t owner : route.owners)
        move(out_.reductions, {{}, launch().result.tensor, processor_of(route.contribution), owner, bytes});
      Load& load = loads.try_emplace(step, placed_.size()).first->second;
      load.move(static_cast<std::size_t>(route.from), static_cast<std::size_t>(route.to), bytes, network_);
    });
    for (const auto& [step, load] : loads)
      (step + 1 == out_.steps.size() ? out_.reducing : out_.steps[step].reducing) += load.moving();
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
  std::unique_ptr<Communicator> planner_;
  PreparedLaunch prepared_;
  PartSizes sizes_;
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
    const double next = (s + 1 < steps.size() ? steps[s + 1].moving : 0) + (s > 0 ? steps[s - 1].reducing : 0);
    sum += (s == 0 ? steps[0].moving : 0) + (overlaps ? std::max(steps[s].computing, next) : steps[s].computing + next);
  }
  return sum;
}

Simulation simulate(const DistributedRequest& request, const Network& network, const MessageHook& on_message) {
  return Simulator(request, network, on_message).run();
}

}  // namespace lacuna
