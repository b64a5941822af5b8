#include "lacuna/distribute/execute/prepared_on_machine.h"

#include <algorithm>
#include <cstring>

#include <fmt/ranges.h>

#include "lacuna/compile/nodes.h"
#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/exchange/move.h"
#include "lacuna/distribute/exchange/replicated.h"
#include "lacuna/distribute/execute/executor.h"
#include "lacuna/distribute/execute/same_pattern.h"
#include "lacuna/distribute/execute/settled_launch.h"

namespace lacuna {

namespace {

/// What is the same where a launch can be run again, but for the tensors.
std::string key_of(const DistributedRequest& request) {
  return fmt::format("{}", fmt::join(fingerprint(request), "; "));
}

/// A text in eight bytes.
std::string mark_of(const std::string& text) {
  const std::uint64_t hash = std::hash<std::string>()(text);
  std::string mark(sizeof hash, ' ');
  std::memcpy(mark.data(), &hash, sizeof hash);
  return mark;
}

}  // namespace

/// A launch, and what runs it.
struct PreparedOnMachine::State {
  State(PreparedLaunch prepared, const DistributedRequest& request, const Engine& made_by, const Options& options,
        bool runs_again)
      : asked(request),
        key(key_of(request)),
        mark(mark_of(key)),
        engine(&made_by),
        target(options.target),
        launch(std::move(prepared)) {
    asked.request.operands.clear();
    asked.held.clear();
    if (runs_again && launch.plan.steps.size() == 1) runner = std::make_unique<SettledLaunch>(launch, options);
    else runner = std::make_unique<Executor>(launch, options, runs_again);
  }

  bool is_for(const Engine& other, const Options& options) const {
    return engine == &other && target.threads == options.target.threads && target.backend == options.target.backend;
  }
  bool has_operands_of(const DistributedRequest& request) const {
    return std::all_of(launch.tensors.begin(), launch.tensors.end(), [&](const auto& each) {
      return request.held.count(each.first) + request.request.operands.count(each.first) != 0;
    });
  }

  DistributedRequest asked;  // without operands
  std::string key, mark;     // of the request
  const Engine* engine;
  Target target;
  PreparedLaunch launch;
  std::unique_ptr<LaunchRunner> runner;
};

namespace {

using State = PreparedOnMachine::State;

std::unique_ptr<State> made(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                            const Options& options, bool runs_again) {
  std::optional<PreparedLaunch> launch;
  together(ranks, fingerprint(request), [&] { launch = start_launch(request, ranks); });
  check_replicated(request.request.operands, ranks);
  or_abort(ranks, [&] { finish_launch(*launch, ranks); });
  auto state = std::make_unique<State>(std::move(*launch), request, engine, options, runs_again);
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

/// How the operands of a request compare with those of a launch: by name, in order. `next` are the operands as it wants
/// them.
std::vector<Change> changes_of(const State& state, const DistributedRequest& request,
                               std::map<std::string, DistributedTensorPtr>& next) {
  std::vector<Change> changes;
  for (const auto& [name, before] : state.launch.tensors) {
    DistributedTensorPtr& now = next[name];
    const auto held = request.held.find(name);
    if (held != request.held.end()) now = held->second;
    changes.push_back(held != request.held.end() ? change_of(*before, now)
                                                 : change_of(*before, request.request.operands.at(name), now));
  }
  return changes;
}

/// What the ranks agree upon before a run.
struct Agreed {
  bool counts = false;          // whether any rank asks for a report
  std::vector<Change> changes;  // the largest that any rank saw of each operand; none where all plan anew
  std::map<std::string, DistributedTensorPtr> operands = {};  // by name, in order

  bool fits() const {
    return !changes.empty() && std::find(changes.begin(), changes.end(), Change::Pattern) == changes.end();
  }
  std::string to_text() const {
    std::string text(1, counts ? '1' : '0');
    for (const Change change : changes) text += static_cast<char>(change);
    return text;
  }
  /// Where numbers differ, some rank has no launch to compare with.
  void add(const std::string& other) {
    counts = counts || other[0] == '1';
    if (other.size() != changes.size() + 1) return changes.clear();
    for (std::size_t k = 0; k < changes.size(); ++k)
      changes[k] = std::max(changes[k], static_cast<Change>(other[k + 1]));
  }
};

/// Where all ranks are about to do what they did before, they tell each other that and no more.
std::optional<Agreed> agreed_in_short(const State* state, const Engine& engine, const DistributedRequest& request,
                                      Communicator& ranks, const Options& options, bool counts) {
  const bool goes_on = state != nullptr && !state->launch.accumulates && state->is_for(engine, options) &&
                       asks_the_same(state->asked, request) && state->has_operands_of(request);
  if (!goes_on) return std::nullopt;
  Agreed all{counts, {}};
  all.changes = changes_of(*state, request, all.operands);
  const auto texts = said_by_all(ranks, state->mark + all.to_text());
  if (!texts) return std::nullopt;
  for (const std::string& text : *texts) {
    if (text.compare(0, state->mark.size(), state->mark) != 0) return std::nullopt;
    all.add(text.substr(state->mark.size()));
  }
  return all.fits() ? std::optional(std::move(all)) : std::nullopt;
}

/// In full: throws Error where the ranks do not run the same.
Agreed agreed(const State* state, const Engine& engine, const DistributedRequest& request, Communicator& ranks,
              const Options& options, bool counts) {
  together(ranks, fingerprint(request), [] {});
  Agreed all{counts, {}};
  or_abort(ranks, [&] {
    if (state != nullptr && state->is_for(engine, options) && state->key == key_of(request))
      all.changes = changes_of(*state, request, all.operands);
    for (const std::string& text : ranks.gather_all(all.to_text())) all.add(text);
  });
  return all;
}

}  // namespace

PreparedOnMachine::PreparedOnMachine() = default;
PreparedOnMachine::~PreparedOnMachine() = default;
PreparedOnMachine::PreparedOnMachine(PreparedOnMachine&&) noexcept = default;
PreparedOnMachine& PreparedOnMachine::operator=(PreparedOnMachine&&) noexcept = default;

DistributedTensor PreparedOnMachine::run(Engine& engine, const DistributedRequest& request, Communicator& ranks,
                                         const Options& options, DistributedReport* report) {
  std::unique_ptr<State> state = std::move(state_);  // where something is thrown, all begin anew
  std::optional<Agreed> known;
  or_abort(ranks, [&] { known = agreed_in_short(state.get(), engine, request, ranks, options, report != nullptr); });
  Agreed all = known ? std::move(*known) : agreed(state.get(), engine, request, ranks, options, report != nullptr);
  const bool fits = all.fits();
  DistributedReport unasked;
  DistributedReport& told = report != nullptr ? *report : unasked;
  told = {};
  told.plans = fits ? 0 : 1;
  if (!fits) state = made(engine, request, ranks, options, true);
  std::map<std::string, bool> is_changed;
  if (fits) {
    std::size_t k = 0;
    for (const auto& each : all.operands) is_changed[each.first] = all.changes[k++] != Change::None;
    state->launch.tensors = std::move(all.operands);
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
