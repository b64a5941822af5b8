#include "lacuna/distribute/execute/prepared_on_machine.h"

#include <algorithm>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/exchange/move.h"
#include "lacuna/distribute/exchange/numbers.h"
#include "lacuna/distribute/execute/executor.h"
#include "lacuna/distribute/execute/same_pattern.h"
#include "lacuna/distribute/execute/settled_launch.h"

namespace lacuna {

/// A launch, and what runs it.
struct PreparedOnMachine::State {
  State(PreparedLaunch prepared, std::string made_for, const Options& options, bool runs_again)
      : key(std::move(made_for)), launch(std::move(prepared)) {
    if (runs_again && launch.plan.steps.size() == 1) runner = std::make_unique<SettledLaunch>(launch, options);
    else runner = std::make_unique<Executor>(launch, options, runs_again);
  }

  std::string key;
  PreparedLaunch launch;
  std::unique_ptr<LaunchRunner> runner;
};

namespace {

using State = PreparedOnMachine::State;

/// What is the same where a launch can be run again, but for the tensors. `items`: the request's fingerprint.
std::string key_of(const std::vector<std::string>& items, const Engine& engine, const Options& options) {
  std::string key = fmt::format("{} {} {}", static_cast<const void*>(&engine), options.target.threads,
                                static_cast<int>(options.target.backend));
  for (const std::string& item : items) key.append("; ").append(item);
  return key;
}

std::unique_ptr<State> made(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                            const Options& options, bool keeps_kernels) {
  const std::vector<std::string> items = fingerprint(request);
  std::optional<PreparedLaunch> launch;
  together(ranks, items, [&] { launch = start_launch(request, ranks); });
  or_abort(ranks, [&] { finish_launch(*launch, ranks); });
  auto state = std::make_unique<State>(std::move(*launch), key_of(items, engine, options), options, keeps_kernels);
  together(ranks, {"what is left of a schedule for each processor"},
           [&] { check_local_schedule(engine, state->launch, ranks, options); });
  return state;
}

/// What the result held before, where its owners are.
DistributedTensorPtr old_result(const PreparedLaunch& launch, const DistributedRequest& request, Communicator& ranks,
                                Traffic& traffic) {
  if (!launch.accumulates) return nullptr;
  const std::string& name = launch.plan.launch.result.tensor;
  const auto held = request.held.find(name);
  if (held == request.held.end()) {
    const Storage& old = request.request.operands.at(name);
    return std::make_shared<const DistributedTensor>(old, everywhere(old.order(), launch.plan.machine), name, ranks);
  }
  TensorLayout layout = held->second->layout();
  layout.placement = launch.reduction.owners;
  return std::make_shared<const DistributedTensor>(moved(*held->second, std::move(layout), ranks, traffic));
}

/// `counts`: whether the ranks add up what they counted, which takes messages of its own; the same on all.
DistributedTensor run_once(State& state, Engine& engine, const DistributedRequest& request, Communicator& ranks,
                           const std::vector<bool>& changed, bool counts, DistributedReport& report) {
  const PreparedLaunch& launch = state.launch;
  std::optional<DistributedTensor> result;
  or_abort(ranks, [&] {
    Traffic results;
    const DistributedTensorPtr old = old_result(launch, request, ranks, results);
    Reduction reduction(launch, old.get(), ranks);
    result = reduction.of(state.runner->run(engine, ranks, changed));
    if (counts) {
      add(results, sum_over(ranks, reduction.traffic()));
      report.fetches = sum_over(ranks, state.runner->fetches());
    }
    report.reductions = results;
    report.kernels = state.runner->kernels_prepared();
  });
  report.tasks = std::ssize(launch.plan.tasks);
  report.steps = std::ssize(launch.plan.steps);
  if (launch.moves_result)
    result =
        placed_anew(*result, *launch.result_distribution, launch.plan.launch.result.tensor, ranks, &report.reductions);
  return std::move(*result);
}

/// How the operands of a request compare with those of a launch: by name, in order; Pattern, too, where there is no
/// such launch. `next` are the operands as it wants them.
std::vector<std::int64_t> changes_of(const State* state, const DistributedRequest& request, const std::string& key,
                                     std::map<std::string, DistributedTensorPtr>& next) {
  if (state == nullptr || state->key != key) return {static_cast<std::int64_t>(Change::Pattern)};
  std::vector<std::int64_t> changes;
  for (const auto& [name, before] : state->launch.tensors) {
    DistributedTensorPtr& now = next[name];
    const auto held = request.held.find(name);
    if (held != request.held.end()) now = held->second;
    const Change change = held != request.held.end() ? change_of(*before, now)
                                                     : change_of(*before, request.request.operands.at(name), now);
    changes.push_back(static_cast<std::int64_t>(change));
  }
  return changes;
}

/// What the ranks agree upon before a run.
struct Agreed {
  bool counts = false;          // whether any rank asks for a report
  std::vector<Change> changes;  // the largest that any rank saw of each operand
};

Agreed agreed(Communicator& ranks, bool counts, const std::vector<std::int64_t>& changes) {
  std::vector<std::int64_t> mine{counts ? 1 : 0};
  mine.insert(mine.end(), changes.begin(), changes.end());
  std::vector<std::int64_t> most = mine;
  for (const std::vector<std::int64_t>& each : gather_numbers(ranks, mine)) {
    // Where numbers differ, some rank has no launch to compare with, and all plan anew.
    most.resize(std::max(most.size(), each.size()));
    for (std::size_t k = 0; k < each.size(); ++k) most[k] = std::max(most[k], each[k]);
  }
  Agreed all{most[0] != 0, {}};
  for (std::size_t k = 1; k < most.size(); ++k) all.changes.push_back(static_cast<Change>(most[k]));
  return all;
}

}  // namespace

PreparedOnMachine::PreparedOnMachine() = default;
PreparedOnMachine::~PreparedOnMachine() = default;
PreparedOnMachine::PreparedOnMachine(PreparedOnMachine&&) noexcept = default;
PreparedOnMachine& PreparedOnMachine::operator=(PreparedOnMachine&&) noexcept = default;

DistributedTensor PreparedOnMachine::run(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                                         const Options& options, DistributedReport* report) {
  const std::vector<std::string> items = fingerprint(request);
  together(ranks, items, [] {});
  std::unique_ptr<State> state = std::move(state_);  // where something is thrown, all begin anew
  std::map<std::string, DistributedTensorPtr> next;
  Agreed all;
  or_abort(ranks, [&] {
    all = agreed(ranks, report != nullptr, changes_of(state.get(), request, key_of(items, engine, options), next));
  });
  const std::vector<Change>& changes = all.changes;
  const bool fits = std::find(changes.begin(), changes.end(), Change::Pattern) == changes.end();
  DistributedReport unasked;
  DistributedReport& told = report != nullptr ? *report : unasked;
  told = {};
  told.plans = fits ? 0 : 1;
  if (!fits) state = made(engine, request, ranks, options, true);
  std::map<std::string, bool> is_changed;
  if (fits) {
    std::size_t k = 0;
    for (const auto& each : next) is_changed[each.first] = changes[k++] != Change::None;
    state->launch.tensors = std::move(next);
  }
  std::vector<bool> changed;
  for (const launch::Operand& operand : state->launch.plan.launch.operands)
    changed.push_back(!fits || is_changed.at(operand.tensor));
  DistributedTensor result = run_once(*state, engine, request, ranks, changed, all.counts, told);
  state_ = std::move(state);
  return result;
}

DistributedTensor run_distributed(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                                  const Options& options, DistributedReport* report) {
  const std::unique_ptr<State> state = made(engine, request, ranks, options, false);
  DistributedReport unasked;
  DistributedReport& told = report != nullptr ? *report : unasked;
  told = {};
  told.plans = 1;
  const std::vector<bool> all(state->launch.plan.launch.operands.size(), true);
  return run_once(*state, engine, request, ranks, all, true, told);
}

Storage run_on(Communicator& ranks, Engine& engine, const DistributedRequest& request, const Options& options,
               DistributedReport* report, Recipients recipients) {
  const DistributedTensor result = run_distributed(engine, request, ranks, options, report);
  Storage whole;
  or_abort(ranks, [&] {
    whole = gathered(result, ranks, recipients);
    if (ranks.rank() == 0 || recipients == Recipients::All) whole = stored_as(engine, whole, result.format(), options);
  });
  return whole;
}

Storage run_in_process(Engine& engine, const DistributedRequest& request, const Options& options,
                       DistributedReport* report) {
  return run_on(*alone(), engine, request, options, report);
}

}  // namespace lacuna
