#include "lacuna/distribute/simulate/simulate.h"

#include <algorithm>
#include <optional>
#include <set>

#include "lacuna/distribute/execute/contributions.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/simulate/part_sizes.h"

namespace lacuna {
namespace {

double largest(const std::vector<double>& all) { return all.empty() ? 0 : *std::max_element(all.begin(), all.end()); }

double mean(const std::vector<double>& all) {
  double sum = 0;
  for (const double x : all) sum += x;
  return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

/// What each processor has to do at a time.
struct Load {
  explicit Load(std::int64_t processors) : in(static_cast<std::size_t>(processors)), out(in.size()), work(in.size()) {}

  void move(std::int64_t from, std::int64_t to, std::int64_t bytes, const Network& network) {
    const double seconds = network.latency + static_cast<double>(bytes) / network.bandwidth;
    out[static_cast<std::size_t>(from)] += seconds;
    in[static_cast<std::size_t>(to)] += seconds;
  }
  /// A processor sends and gets at the same time.
  double moving() const { return std::max(largest(in), largest(out)); }

  std::vector<double> in, out, work;  // seconds, seconds, turns
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
        placed_(turns_.size()),
        most_held_(turns_.size()),
        results_(turns_.size()) {}

  Simulation run() {
    out_.tasks = std::ssize(plan().tasks);
    find_placed();
    for (const LaunchStep& step : plan().steps) simulate_step(step);
    reduce();
    out_.most_turns = largest(turns_);
    out_.mean_turns = mean(turns_);
    for (std::size_t p = 0; p < placed_.size(); ++p) placed_[p] += most_held_[p] + results_[p];
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
          placed_[static_cast<std::size_t>(p)] += static_cast<double>(sizes_.of(o, part.what).bytes);
    }
  }

  void simulate_step(const LaunchStep& step) {
    SimulatedStep simulated;
    simulated.at = step.at;
    Load load(plan().machine.processors());
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
      move(simulated.traffic, load,
           {out_.steps.size(), launch().operands[o].tensor, transfer.from, plan().tasks[t].processor, size.bytes});
    }
    simulated.most_memory = compute(step, load);
    simulated.moving = load.moving();
    simulated.most_turns = largest(load.work);
    simulated.mean_turns = mean(load.work);
    simulated.computing = simulated.most_turns / network_.rate;
    add(out_.fetches, simulated.traffic);
    out_.steps.push_back(std::move(simulated));
  }

  /// What a transfer moves, given what tasks had before as they had got it.
  PartSize moved_by(const Transfer& transfer, const std::vector<std::vector<std::optional<PartSize>>>& before) {
    const auto o = static_cast<std::size_t>(transfer.operand);
    if (!transfer.neighbour) return sizes_.of(o, transfer.what);
    const std::optional<PartSize>& got = before[static_cast<std::size_t>(*transfer.neighbour)][o];
    return got ? *got : sizes_.joined(o, transfer.what);
  }

  void move(Traffic& traffic, Load& load, const SimulatedMessage& message) const {
    count(traffic, plan().machine, message.bytes, message.from, message.to);
    if (message.from == message.to) return;
    load.move(message.from, message.to, message.bytes, network_);
    if (on_message_) on_message_(message);
  }

  /// Returns the memory of the processor that holds most meanwhile.
  std::int64_t compute(const LaunchStep& step, Load& load) {
    std::vector<double> held(placed_.size());
    for (std::size_t t = 0; t < plan().tasks.size(); ++t) {
      const auto p = static_cast<std::size_t>(plan().tasks[t].processor);
      for (const PartSize& each : held_[t]) held[p] += static_cast<double>(each.bytes);
      if (plan().contributes(plan().tasks[t], step)) load.work[p] += turns_of(step, t);
    }
    double most = 0;
    for (std::size_t p = 0; p < held.size(); ++p) {
      most_held_[p] = std::max(most_held_[p], held[p]);
      most = std::max(most, placed_[p] + held[p]);
      turns_[p] += load.work[p];
    }
    return static_cast<std::int64_t>(most);
  }

  /// The turns of the innermost loops: all coordinates of the iteration space, as far as the factor of a product that
  /// stores the smallest part of its own stores them.
  double turns_of(const LaunchStep& step, std::size_t t) const {
    const Task& task = plan().tasks[t];
    double sum = 0;
    for (const Term& term : terms_of(launch().statement)) {
      double volume = 1, density = 1;
      for (const IndexVar& v : all_variables({{TensorVar(), {}}, false, term.expr, ""}))
        volume *= static_cast<double>(plan().used_of({"", "", {v}, 0}, task, step)[0].size());
      for (std::size_t o = 0; o < launch().operands.size(); ++o) {
        const auto region = static_cast<double>(volume_of(plan().region_of(launch().operands[o], task, step)));
        const bool sparse = !prepared_.tensor(o).shape().format.is_dense();
        const bool used = is_used(launch().operands[o], term.expr);
        if (sparse && used && region > 0)
          density = std::min(density, static_cast<double>(held_[t][o].entries) / region);
      }
      sum += volume * density;
    }
    return sum;
  }
  static bool is_used(const launch::Operand& operand, const Expr& e) {
    const std::vector<Access> all = accesses(e);
    return std::any_of(all.begin(), all.end(), [&](const Access& a) {
      return a.tensor.name() == operand.tensor && a.indices == operand.indices;
    });
  }

  void reduce() {
    const ReductionPlan& reduction = prepared_.reduction;
    const auto processor_of = [&](std::size_t k) { return plan().tasks[reduction.contributions[k].task].processor; };
    out_.knows_result = prepared_.local_format().is_dense();
    const std::int64_t value = size_of(prepared_.sum_type);
    Load load(plan().machine.processors());
    for (std::size_t k = 0; k < reduction.contributions.size(); ++k)
      results_[static_cast<std::size_t>(processor_of(k))] +=
          static_cast<double>(volume_of(reduction.contributions[k].region) * value);
    for (std::size_t p = 0; p < reduction.owners.parts.size(); ++p) {
      const TensorPlacement::Part& part = reduction.owners.parts[p];
      for (const std::size_t k : reduction.reaching[p]) {
        const std::int64_t volume = volume_of(common(reduction.contributions[k].region, part.what.coordinates));
        for (const std::int64_t owner : part.processors)
          move(out_.reductions, load,
               {{}, launch().result.tensor, processor_of(k), owner, out_.knows_result ? volume * value : 0});
      }
    }
    out_.reducing = load.moving();
  }

  const Network& network_;
  const MessageHook& on_message_;
  std::unique_ptr<Communicator> planner_;
  PreparedLaunch prepared_;
  PartSizes sizes_;
  std::vector<std::vector<PartSize>> held_;  // by task and operand
  std::vector<std::vector<std::optional<PartSize>>>
      as_it_is_;                                              // of that what one transfer brought, and nothing changed
  std::vector<double> turns_, placed_, most_held_, results_;  // by processor
  Simulation out_{plan().machine, {}, {}, {}, true, 0, 0, 0, 0, 0, 0};
};

}  // namespace

double Simulation::seconds() const {
  double sum = reducing;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const double next = s + 1 < steps.size() ? steps[s + 1].moving : 0;
    sum += (s == 0 ? steps[0].moving : 0) + std::max(steps[s].computing, next);
  }
  return sum;
}

Simulation simulate(const DistributedRequest& request, const Network& network, const MessageHook& on_message) {
  return Simulator(request, network, on_message).run();
}

}  // namespace lacuna
