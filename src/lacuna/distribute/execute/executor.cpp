#include <map>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/communicate/wire.h"
#include "lacuna/distribute/execute/contributions.h"
#include "lacuna/distribute/execute/local_request.h"
#include "lacuna/distribute/execute/prepare.h"
#include "lacuna/distribute/part/dense_part.h"

namespace lacuna {
namespace {

/// What a rank does of a plan: the tasks of its processors.
class Executor {
 public:
  Executor(Engine& engine, Communicator& ranks, const PreparedLaunch& prepared, const Options& options)
      : engine_(engine),
        ranks_(ranks),
        prepared_(prepared),
        options_(options),
        held_(plan().tasks.size(), std::vector<LocalPart>(launch().operands.size())) {}

  /// What is sent for the next step is on its way while this one is computed: it depends on what was there before.
  Contributions run() {
    const std::vector<LaunchStep>& steps = plan().steps;
    if (!steps.empty()) send(steps.front());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      receive(steps[s]);
      if (s + 1 < steps.size()) send(steps[s + 1]);
      for (std::size_t t = 0; t < plan().tasks.size(); ++t) compute(steps[s], t);
    }
    ranks_.finish_sends();
    return std::move(contributions_);
  }
  const Traffic& fetches() const { return fetches_; }

 private:
  const LaunchPlan& plan() const { return prepared_.plan; }
  const launch::Launch& launch() const { return plan().launch; }

  int rank_of(std::int64_t processor) const {
    return lacuna::rank_of(processor, plan().machine.processors(), ranks_.ranks());
  }
  bool is_mine(std::int64_t processor) const { return rank_of(processor) == ranks_.rank(); }
  const Task& receiver(const Transfer& transfer) const { return plan().tasks[static_cast<std::size_t>(transfer.task)]; }
  const PartShape& shape(int operand) const { return prepared_.tensor(static_cast<std::size_t>(operand)).shape(); }

  void send(const LaunchStep& step) {
    ranks_.finish_sends();  // of the step before
    for (const Transfer& transfer : step.transfers) {
      if (!is_mine(transfer.from)) continue;
      const int to = rank_of(receiver(transfer).processor);
      if (to == ranks_.rank()) arrive(transfer, sent(transfer));
      else ranks_.send(to, std::make_shared<Bytes>(to_message(sent(transfer))));
    }
  }
  void arrive(const Transfer& transfer, LocalPart part) {
    count(fetches_, plan().machine, bytes_to_send(part), transfer.from, receiver(transfer).processor);
    arrived_[&transfer] = std::move(part);
  }

  void receive(const LaunchStep& step) {
    std::map<std::pair<std::int64_t, int>, std::vector<LocalPart>> parts;
    for (const Transfer& transfer : step.transfers) {
      if (!is_mine(receiver(transfer).processor)) continue;
      if (!is_mine(transfer.from))
        arrive(transfer, from_message(ranks_.receive(rank_of(transfer.from)), transfer.what.coordinates,
                                      shape(transfer.operand)));
      parts[{transfer.task, transfer.operand}].push_back(std::move(arrived_.at(&transfer)));
      arrived_.erase(&transfer);
    }
    for (std::size_t t = 0; t < plan().tasks.size(); ++t)
      if (is_mine(plan().tasks[t].processor)) put_together(step, t, parts);
  }
  void put_together(const LaunchStep& step, std::size_t t,
                    std::map<std::pair<std::int64_t, int>, std::vector<LocalPart>>& arrived) {
    for (std::size_t o = 0; o < launch().operands.size(); ++o) {
      const auto parts = arrived.find({static_cast<std::int64_t>(t), static_cast<int>(o)});
      const std::vector<IndexSet> region = plan().region_of(launch().operands[o], plan().tasks[t], step);
      const PartShape& shape = prepared_.tensor(o).shape();
      if (parts != arrived.end()) held_[t][o] = join(parts->second, region, shape);
      else if (is_new(t, o, region)) held_[t][o] = join({}, region, shape);
    }
  }
  /// A region that nothing lies in is not fetched.
  bool is_new(std::size_t t, std::size_t o, const std::vector<IndexSet>& region) const {
    return held_[t][o].storage.levels.size() != region.size() || held_[t][o].sets != region;
  }

  LocalPart sent(const Transfer& transfer) const {
    const auto o = static_cast<std::size_t>(transfer.operand);
    if (transfer.neighbour) return held_[static_cast<std::size_t>(*transfer.neighbour)][o];
    const DistributedTensor& tensor = prepared_.tensor(o);
    // Which entries are meant is said in positions of the whole.
    if (transfer.what.cuts_positions()) return local_part(tensor.whole(), transfer.what);
    return cut(tensor.part(*transfer.part), transfer.what.coordinates);
  }

  void compute(const LaunchStep& step, std::size_t t) {
    const Task& task = plan().tasks[t];
    if (!is_mine(task.processor) || !plan().contributes(task, step)) return;
    const Request local = local_request(prepared_, task, step, [&](std::size_t o, const std::vector<IndexSet>& region) {
      return cut(held_[t][o], region).storage;
    });
    contribute(t, {plan().used_of(launch().result, task, step), engine_.run(local, options_)});
  }
  void contribute(std::size_t t, LocalPart part) {
    const auto [at, is_first] = contributions_.try_emplace(prepared_.reduction.of(t, part.sets));
    if (is_first) at->second = std::move(part);
    else if (part.storage.format.is_dense()) add_into(part, at->second);
    else at->second = add_up({at->second, part}, part.sets, shape_of(part.storage));
  }

  Engine& engine_;
  Communicator& ranks_;
  const PreparedLaunch& prepared_;
  const Options& options_;
  std::vector<std::vector<LocalPart>> held_;      // by task and operand: what was fetched last
  std::map<const Transfer*, LocalPart> arrived_;  // of the next step
  Contributions contributions_;                   // of this rank
  Traffic fetches_;
};

}  // namespace

DistributedTensor run_distributed(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                                  const Options& options, DistributedReport* report) {
  std::optional<PreparedLaunch> prepared;
  together(ranks, fingerprint(request), [&] {
    prepared = prepare_launch(request, ranks);
    check_local_schedule(engine, *prepared, ranks, options);
  });
  std::optional<DistributedTensor> result;
  or_abort(ranks, [&] {
    Executor executor(engine, ranks, *prepared, options);
    Reduction reduction(*prepared, request, ranks);
    result = reduction.of(executor.run());
    if (report == nullptr) return;
    *report = {executor.fetches(), reduction.traffic(), std::ssize(prepared->plan.tasks),
               std::ssize(prepared->plan.steps)};
    add_up(*report, ranks);
  });
  return std::move(*result);
}

Storage run_on(Communicator& ranks, Engine& engine, const DistributedRequest& request, const Options& options,
               DistributedReport* report, Recipients recipients) {
  const DistributedTensor result = run_distributed(engine, request, ranks, options, report);
  Storage whole;
  or_abort(ranks, [&] {
    whole = gathered(result, ranks, recipients);
    if (ranks.rank() == 0 || recipients == Recipients::All)
      whole = stored_as(engine, whole, result_format_of(request.request), options);
  });
  return whole;
}

Storage run_in_process(Engine& engine, const DistributedRequest& request, const Options& options,
                       DistributedReport* report) {
  return run_on(*alone(), engine, request, options, report);
}

}  // namespace lacuna
