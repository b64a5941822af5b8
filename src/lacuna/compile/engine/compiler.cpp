#include "lacuna/compile/engine/compiler.h"

#include <algorithm>
#include <chrono>

#include "lacuna/compile/engine/plan_cache.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/compile/plan/diagonal.h"
#include "lacuna/compile/plan/update_plan.h"
#include "lacuna/compile/run/operands.h"
#include "lacuna/compile/run/run_plan.h"
#include "lacuna/runtime/kept_memory.h"
#include "lacuna/support/check.h"

namespace lacuna {

struct Compiler::State {
  State(JitOptions options, LevelCheck check) : jit(std::move(options)), check_level(std::move(check)) {}
  Jit jit;
  PlanCache plans;
  UpdatePlans updates;
  LevelCheck check_level;
};

struct Prepared::State {
  /// Puts a result that the plan made of arrays into the nodes that were asked for.
  void finish_nodes(std::size_t n, Storage& result, double& milliseconds) const;
  /// On the operands of the request, or on others.
  void run(std::span<Storage> results, Report* report);
  void run(const GatheredOperands& gathered, std::span<Storage> results, Report* report);
  void run(const std::map<std::string, Storage>& others, std::span<Storage> results, Report* report);

  std::shared_ptr<Compiler::State> engine;
  std::shared_ptr<const Plan> plan;
  std::shared_ptr<const CheckedRequest> checked;
  std::map<std::string, Storage> operands;
  std::unique_ptr<const GatheredOperands> gathered;  // none where each run makes copies
  KeptMemory kept;
  Options options;
  Report report;
  // A(i,i) += …: the plan makes the new diagonal of a tensor of this format.
  bool updates_diagonal = false;
  Access lhs;
  Format format;
};

namespace {

using Clock = std::chrono::steady_clock;

/// Of all tensors of a request.
void check_levels(const CheckedRequest& checked, const LevelCheck& check) {
  for (std::size_t n = 0; n < checked.statements(); ++n) {
    const ScheduleProblem& problem = checked.statement(n).problem;
    check(problem.result_format);
    for (const auto& [name, operand] : problem.operands) check(operand.format);
  }
}

}  // namespace

Compiler::Compiler(JitOptions jit, LevelCheck check)
    : state_(std::make_shared<State>(std::move(jit), std::move(check))) {}
Compiler::Compiler(std::shared_ptr<State> state) : state_(std::move(state)) {}
Compiler::~Compiler() = default;

std::vector<std::string> Compiler::warnings() const { return state_->jit.warnings(); }

std::shared_ptr<const UpdatePlan> Compiler::update_plan(const UpdateRequest& request, const Options& options) {
  return state_->updates.find_or_make(request, options, state_->jit, [&] { state_->check_level(request.format); });
}

Prepared Compiler::prepare(const Request& request, const Options& options) {
  const Clock::time_point start = Clock::now();
  const Statement& s = request.statement;
  Prepared prepared;
  prepared.state_ = std::make_shared<Prepared::State>();
  Prepared::State& p = *prepared.state_;
  p.engine = state_;
  p.options = options;
  p.options.on_stage = nullptr;
  p.updates_diagonal = updates_diagonal(s);
  if (p.updates_diagonal) {
    // Its messages speak of the statement as written.
    p.format = check_request(request, options).problem.result_format;
    p.lhs = s.lhs;
  }
  const Request diagonal = p.updates_diagonal ? diagonal_request(request) : Request{};
  const Request& kernel = p.updates_diagonal ? diagonal : request;
  p.operands = kernel.operands;
  const bool cached = !options.on_stage && !options.stop_before_code;
  const std::string key = cached ? request_key(kernel, options) : std::string();
  if (cached) {
    CachedPlan found = state_->plans.find(key);
    p.checked = std::move(found.checked);
    p.plan = std::move(found.plan);
  }
  p.report.from_memory = p.plan != nullptr;
  if (!p.plan) {
    p.checked = std::make_shared<const CheckedRequest>(check_request(kernel, options));
    p.plan = std::make_shared<const Plan>(
        make_plan(*p.checked, options, state_->jit, [&] { check_levels(*p.checked, state_->check_level); }));
    p.report.from_disk = p.plan->kernel.from_disk_cache();
    if (cached) state_->plans.insert(key, {p.checked, p.plan});
  }
  if (p.plan->scheduled.copies.empty() && !options.stop_before_code)
    p.gathered = std::make_unique<const GatheredOperands>(*p.plan, *p.checked, p.operands, options.target.threads);
  p.report.notes = p.plan->scheduled.program.notes;
  p.report.notes.insert(p.report.notes.end(), p.plan->notes.begin(), p.plan->notes.end());
  p.report.compile_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return prepared;
}

Storage Compiler::run(const Request& request, const Options& options, Report* report) {
  return prepare(request, options).run(report);
}

Storage Prepared::run(Report* report) {
  Storage result;
  run_into(result, report);
  return result;
}

void Prepared::run_into(Storage& result, Report* report) { state_->run({&result, 1}, report); }

std::vector<Storage> Prepared::run_all(Report* report) {
  std::vector<Storage> results(state_->checked->statements());
  state_->run(results, report);
  return results;
}

std::vector<Storage> Prepared::run_all(const std::map<std::string, Storage>& operands, Report* report) {
  std::vector<Storage> results(state_->checked->statements());
  state_->run(operands, results, report);
  return results;
}

void Prepared::State::run(std::span<Storage> results, Report* report_to) {
  if (gathered == nullptr || updates_diagonal) {
    run(operands, results, report_to);
    return;
  }
  run(*gathered, results, report_to);
}

void Prepared::State::run(const GatheredOperands& bound, std::span<Storage> results, Report* report_to) {
  if (report_to != nullptr) *report_to = report;
  run_plan(*plan, *checked, bound, options, report_to, results, &kept);
  double unused = 0;
  for (std::size_t n = 0; n < results.size(); ++n)
    finish_nodes(n, results[n], report_to != nullptr ? report_to->finish_ms : unused);
}

Storage Prepared::run(const std::map<std::string, Storage>& operands, Report* report) {
  Storage result;
  run_into(operands, result, report);
  return result;
}

void Prepared::run_into(const std::map<std::string, Storage>& operands, Storage& result, Report* report) {
  state_->run(operands, {&result, 1}, report);
}

void Prepared::State::run(const std::map<std::string, Storage>& others, std::span<Storage> results, Report* report_to) {
  internal_check(!options.stop_before_code, "a statement prepared only to be shown is run");
  // Clocks and reports take longer than small kernels do.
  const auto now = [&] { return report_to != nullptr ? Clock::now() : Clock::time_point(); };
  const auto since = [&](const Clock::time_point& begin) {
    return std::chrono::duration<double, std::milli>(now() - begin).count();
  };
  if (report_to != nullptr) *report_to = report;
  const Clock::time_point begin = now();
  const GatheredOperands fresh(*plan, *checked, others, options.target.threads);
  if (report_to != nullptr) report_to->prepare_ms = since(begin);
  run_plan(*plan, *checked, fresh, options, report_to, results, &kept);
  double finish_ms = 0;
  if (updates_diagonal) {
    const Clock::time_point start = now();
    Storage& result = results.front();
    result = with_diagonal(others.at(lhs.tensor.name()), result, lhs, format, result.type, options.target.threads);
    finish_ms = since(start);
  }
  for (std::size_t n = 0; n < results.size(); ++n) finish_nodes(n, results[n], finish_ms);
  if (report_to != nullptr) report_to->finish_ms += finish_ms;
}

Bound::Bound(const Prepared& prepared, std::map<std::string, Storage> operands)
    : state_(prepared.state_), operands_(std::move(operands)) {
  internal_check(!state_->options.stop_before_code, "a statement prepared only to be shown is bound");
  if (state_->updates_diagonal || !state_->plan->scheduled.copies.empty()) return;
  gathered_ =
      std::make_unique<GatheredOperands>(*state_->plan, *state_->checked, operands_, state_->options.target.threads);
  operands_.clear();
}
Bound::~Bound() = default;
Bound::Bound(Bound&&) noexcept = default;
Bound& Bound::operator=(Bound&&) noexcept = default;

void Bound::replace(const std::string& name, const Storage& operand) {
  if (gathered_ != nullptr) gathered_->replace(name, operand);
  else operands_.at(name) = operand;
}

void Bound::run_into(Storage& result) {
  if (gathered_ != nullptr) state_->run(*gathered_, {&result, 1}, nullptr);
  else state_->run(operands_, {&result, 1}, nullptr);
}

void Prepared::State::finish_nodes(std::size_t n, Storage& result, double& milliseconds) const {
  const Format& wanted = updates_diagonal ? format : checked->statement(n).problem.result_format;
  if (!wanted.has_nodes() || result.format == wanted) return;
  const Clock::time_point start = Clock::now();
  Compiler copying(engine);
  result = stored_as(copying, result, wanted, options);
  milliseconds += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool Prepared::holds_for(const std::map<std::string, Storage>& operands) const {
  const auto still = [&](const std::string& name, const Storage& before) {
    const auto now = operands.find(name);
    if (now == operands.end()) return true;
    for (std::size_t k = 0; k < before.levels.size(); ++k)
      if (before.levels[k].nonempty && !now->second.levels[k].nonempty) return false;
    return true;
  };
  const auto& prepared_for = state_->operands;
  return std::all_of(prepared_for.begin(), prepared_for.end(),
                     [&](const auto& operand) { return still(operand.first, operand.second); });
}

/// holds_for() still asks what their levels promise.
void Prepared::forget_operands() {
  state_->gathered.reset();
  for (auto& [name, operand] : state_->operands) {
    operand.values = {};
    for (LevelStorage& level : operand.levels) {
      level.pos = level.crd = level.present = {};
      level.nodes.clear();
    }
  }
}

const Report& Prepared::compile_report() const { return state_->report; }
const std::string& Prepared::c_code() const { return state_->plan->source.code; }
const std::string& Prepared::c_header() const { return state_->plan->source.header; }
const Format& Prepared::result_format() const {
  return state_->updates_diagonal ? state_->format : state_->checked->problem.result_format;
}
Type Prepared::result_type() const { return state_->checked->problem.result_type; }
const std::vector<std::int64_t>& Prepared::result_dimensions() const { return state_->checked->result_dimensions; }
const Plan& Prepared::plan() const { return *state_->plan; }
const CheckedRequest& Prepared::checked() const { return *state_->checked; }

}  // namespace lacuna
