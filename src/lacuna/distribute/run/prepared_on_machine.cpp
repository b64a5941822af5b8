#include "lacuna/distribute/run/prepared_on_machine.h"

#include <algorithm>
#include <cstring>

#include <fmt/ranges.h>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/distribute/comm/numbers.h"
#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/run/local_request.h"
#include "lacuna/distribute/run/reduction.h"
#include "lacuna/distribute/run/runner.h"
#include "lacuna/distribute/run/same_pattern.h"
#include "lacuna/distribute/tensors/move.h"
#include "lacuna/distribute/tensors/replicated.h"
#include "lacuna/support/check.h"

namespace lacuna {

Options on_processors(Options options) {
  options.target.device.reset();
  options.target.on = nullptr;
  options.target.devices.clear();
  return options;
}

namespace {

/// What is the same where a launch can be run again, but for the tensors.
std::string key_of(const DistributedRequest& request) {
  return fmt::format("{}", fmt::join(fingerprint(request), "; "));
}

/// What has to be the same on all ranks: also the numbers that the statement was written with, which may be operands
/// here.
std::vector<std::string> said_of(const DistributedRequest& request) {
  std::vector<std::string> items = fingerprint(request);
  if (!request.request.statement.text.empty()) items.front() = request.request.statement.text;
  return items;
}

std::uint64_t hash_of(const std::string& text) { return std::hash<std::string>()(text); }

/// A request in eight bytes: its key, and how its statement was written.
std::string mark_of(std::uint64_t key, const DistributedRequest& request) {
  const std::uint64_t hash = key ^ hash_of(request.request.statement.text);
  std::string mark(sizeof hash, ' ');
  std::memcpy(mark.data(), &hash, sizeof hash);
  return mark;
}

}  // namespace

/// What the ranks agree upon before a run.
struct PreparedOnMachine::Agreed {
  bool counts = false;          // whether any rank asks for a report
  std::vector<Change> changes;  // the largest that any rank saw of each operand; none where all plan anew
  std::vector<DistributedTensorPtr> operands;  // as the request wants them, by name in order

  bool fits() const {
    return !changes.empty() && std::find(changes.begin(), changes.end(), Change::Pattern) == changes.end();
  }
  void add_to(std::string& text) const {
    text += counts ? '1' : '0';
    for (const Change change : changes) text += static_cast<char>(change);
  }
  /// Where numbers differ, some rank has no launch to compare with.
  void add(std::string_view other) {
    counts = counts || other[0] == '1';
    if (other.size() != changes.size() + 1) return changes.clear();
    for (std::size_t k = 0; k < changes.size(); ++k)
      changes[k] = std::max(changes[k], static_cast<Change>(other[k + 1]));
  }
};

/// A launch, and what runs it.
struct PreparedOnMachine::State {
  State(PreparedLaunch prepared, const DistributedRequest& request, const Engine& made_by, Communicator& ranks,
        const Options& options, bool runs_again)
      : asked(request),
        key(key_of(request)),
        hash(hash_of(key)),
        engine(&made_by),
        rank_count(ranks.ranks()),
        made_for(ranks.handle()),
        target(options.target),
        launch(std::move(prepared)),
        runner(launch, options, runs_again),
        reduction(launch, runs_again) {
    asked.request.operands.clear();
    asked.held.clear();
    changed.assign(launch.plan.launch.operands.size(), true);
  }

  bool is_for(const Engine& other, const Communicator& ranks, const Options& options) const {
    return engine == &other && is_for(ranks) && target.threads == options.target.threads &&
           target.backend == options.target.backend && target.device == options.target.device &&
           target.on == options.target.on && target.devices == options.target.devices;
  }
  /// One process by itself is like any other.
  bool is_for(const Communicator& ranks) const {
    return ranks.ranks() == rank_count && (rank_count == 1 || made_for.lock().get() == &ranks);
  }
  bool has_operands_of(const DistributedRequest& request) const {
    return std::all_of(launch.tensors.begin(), launch.tensors.end(), [&](const auto& each) {
      return request.held.count(each.first) + request.request.operands.count(each.first) != 0;
    });
  }

  DistributedRequest asked;  // without operands
  std::string key;           // of the request
  std::uint64_t hash;        // of the key
  const Engine* engine;
  int rank_count;
  std::weak_ptr<Communicator> made_for;
  Target target;
  PreparedLaunch launch;
  Runner runner;
  Reduction reduction;
  Said said;
  Agreed agreed;              // of this run, as
  std::vector<bool> changed;  // by operand of the launch
};

namespace {

using State = PreparedOnMachine::State;
using Agreed = PreparedOnMachine::Agreed;

void check_devices(const Machine& machine, const Options& options) {
  if (machine.has_gpus() && !options.target.device)
    user_error(
        "the processors of {} are GPUs: give it devices, by --target cuda or opencl or in the options of evaluate(), "
        "or "
        "take 'of gpus' away",
        machine.to_string());
}

std::unique_ptr<State> made(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                            const Options& options, bool runs_again) {
  std::optional<PreparedLaunch> launch;
  together(ranks, said_of(request), [&] {
    launch = start_launch(request, ranks);
    check_devices(launch->plan.machine, options);
  });
  check_replicated(request.request.operands, ranks);
  or_abort(ranks, [&] { finish_launch(*launch, ranks); });
  auto state = std::make_unique<State>(std::move(*launch), request, engine, ranks, options, runs_again);
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
  DistributedTensorPtr old;
  if (held != request.held.end()) {
    old = held->second;
  } else {
    const Storage& storage = request.request.operands.at(name);
    const auto placed = request.placed.find(name);
    if (placed == request.placed.end())
      return std::make_shared<const DistributedTensor>(storage, everywhere(storage.order(), launch.plan.machine), name,
                                                       ranks);
    old = std::make_shared<const DistributedTensor>(storage, placed->second, name, ranks);
  }
  TensorLayout layout = old->layout();
  layout.placement = launch.reduction.owners;
  return std::make_shared<const DistributedTensor>(moved(*old, std::move(layout), ranks, traffic));
}

/// `counts`: whether the ranks add up what they counted, which takes messages of its own; the same on all.
void run_once(State& state, Engine& engine, const DistributedRequest& request, Communicator& ranks, bool counts,
              DistributedReport& report, std::optional<DistributedTensor>& result) {
  const PreparedLaunch& launch = state.launch;
  or_abort(ranks, [&] {
    Traffic results;
    const DistributedTensorPtr old = old_result(launch, request, ranks, results);
    state.reduction.begin(state.runner.contributions(), old.get(), ranks, result);
    state.runner.run(engine, ranks, state.changed, [&state](std::size_t step) { state.reduction.reduce(step); });
    state.reduction.finish();
    if (counts) {
      add(results, sum_over(ranks, state.reduction.traffic()));
      report.fetches = sum_over(ranks, state.runner.fetches());
    }
    report.reductions = results;
    report.kernels = state.runner.kernels_prepared();
  });
  report.tasks = std::ssize(launch.plan.tasks);
  report.steps = std::ssize(launch.plan.steps);
  if (launch.moves_result)
    result =
        placed_anew(*result, *launch.result_distribution, launch.plan.launch.result.tensor, ranks, &report.reductions);
}

/// How the operands of a request compare with those of a launch.
void compare(const State& state, const DistributedRequest& request, Agreed& with) {
  with.changes.clear();
  with.operands.clear();
  for (const auto& [name, before] : state.launch.tensors) {
    const auto held = request.held.find(name);
    DistributedTensorPtr& now = with.operands.emplace_back();
    if (held != request.held.end()) now = held->second;
    with.changes.push_back(held != request.held.end() ? change_of(*before, now)
                                                      : change_of(*before, request.request.operands.at(name), now));
  }
}

/// Where all ranks are about to do what they did before, they tell each other that and no more. Whether they are.
bool agree_in_short(State& state, const Engine& engine, const DistributedRequest& request, Communicator& ranks,
                    const Options& options, bool counts) {
  const bool goes_on = !state.launch.accumulates && state.is_for(engine, ranks, options) &&
                       asks_the_same(state.asked, request) && state.has_operands_of(request);
  if (!goes_on) return false;
  Agreed& all = state.agreed;
  all.counts = counts;
  compare(state, request, all);
  if (ranks.ranks() == 1) return all.fits();
  const std::string mark = mark_of(state.hash, request);
  state.said.mine = mark;
  all.add_to(state.said.mine);
  if (!said_by_all(ranks, state.said)) return false;
  for (const std::string& text : state.said.all) {
    if (text.compare(0, mark.size(), mark) != 0) return false;
    all.add(std::string_view(text).substr(mark.size()));
  }
  return all.fits();
}

/// In full: throws Error where the ranks do not run the same.
Agreed agreed(const State* state, const Engine& engine, const DistributedRequest& request, Communicator& ranks,
              const Options& options, bool counts) {
  together(ranks, said_of(request), [] {});
  Agreed all{counts, {}, {}};
  or_abort(ranks, [&] {
    if (state != nullptr && state->is_for(engine, ranks, options) && state->key == key_of(request))
      compare(*state, request, all);
    std::string mine;
    all.add_to(mine);
    for (const std::string& text : ranks.gather_all(mine)) all.add(text);
  });
  return all;
}

/// Takes the operands of a request that a launch fits, and notes which of them changed.
void take_operands(State& state) {
  std::size_t k = 0;
  for (auto& [name, tensor] : state.launch.tensors) {
    for (std::size_t o = 0; o < state.changed.size(); ++o)
      if (state.launch.plan.launch.operands[o].tensor == name)
        state.changed[o] = state.agreed.changes[k] != Change::None;
    tensor = std::move(state.agreed.operands[k++]);
  }
}

}  // namespace

PreparedOnMachine::PreparedOnMachine() = default;
PreparedOnMachine::~PreparedOnMachine() = default;
PreparedOnMachine::PreparedOnMachine(PreparedOnMachine&&) noexcept = default;
PreparedOnMachine& PreparedOnMachine::operator=(PreparedOnMachine&&) noexcept = default;

void PreparedOnMachine::run_into(std::optional<DistributedTensor>& result, Engine& engine,
                                 const DistributedRequest& request, Communicator& ranks, const Options& options,
                                 DistributedReport* report) {
  std::unique_ptr<State> state = std::move(state_);  // where something is thrown, all begin anew
  const bool counts = report != nullptr;
  bool fits = false;
  // A rank that has no state does nothing here; all meet in what comes next.
  or_abort_alone(ranks,
                 [&] { fits = state != nullptr && agree_in_short(*state, engine, request, ranks, options, counts); });
  bool somebody_counts = fits && state->agreed.counts;
  if (!fits) {
    Agreed all = agreed(state.get(), engine, request, ranks, options, counts);
    somebody_counts = all.counts;
    fits = all.fits();
    if (fits) state->agreed = std::move(all);
  }
  DistributedReport unasked;
  DistributedReport& told = report != nullptr ? *report : unasked;
  told = {};
  told.plans = fits ? 0 : 1;
  if (fits) take_operands(*state);
  else state = made(engine, request, ranks, options, true);
  run_once(*state, engine, request, ranks, somebody_counts, told, result);
  state_ = std::move(state);
}

DistributedTensor PreparedOnMachine::run(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                                         const Options& options, DistributedReport* report) {
  std::optional<DistributedTensor> result;
  run_into(result, engine, request, ranks, options, report);
  return std::move(*result);
}

DistributedTensor run_distributed(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                                  const Options& options, DistributedReport* report) {
  const std::unique_ptr<State> state = made(engine, request, ranks, options, false);
  DistributedReport unasked;
  DistributedReport& told = report != nullptr ? *report : unasked;
  told = {};
  told.plans = 1;
  std::optional<DistributedTensor> result;
  run_once(*state, engine, request, ranks, true, told, result);
  return std::move(*result);
}

Storage run_on(Communicator& ranks, Engine& engine, const DistributedRequest& request, const Options& options,
               DistributedReport* report, Recipients recipients) {
  const DistributedTensor result = run_distributed(engine, request, ranks, options, report);
  Storage whole;
  or_abort(ranks, [&] {
    whole = gathered(result, ranks, recipients);
    if (ranks.rank() == 0 || recipients == Recipients::All)
      whole = stored_as(engine, whole, result.format(), on_processors(options));
  });
  return whole;
}

Storage run_in_process(Engine& engine, const DistributedRequest& request, const Options& options,
                       DistributedReport* report) {
  return run_on(*alone(), engine, request, options, report);
}

}  // namespace lacuna
