#include "lacuna/compile/engine.h"

#include <chrono>

#include "lacuna/compile/diagonal.h"
#include "lacuna/compile/nodes.h"
#include "lacuna/compile/operands.h"
#include "lacuna/compile/plan_cache.h"
#include "lacuna/compile/update_plan.h"

namespace lacuna {

struct Engine::State {
  explicit State(JitOptions options) : jit(std::move(options)) {}
  Jit jit;
  PlanCache plans;
  UpdatePlans updates;
};

struct Prepared::State {
  /// Puts a result that the plan made of arrays into the nodes that were asked for.
  void finish_nodes(Storage& result, double& milliseconds) const;

  std::shared_ptr<Engine::State> engine;
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

}  // namespace

Engine::Engine(JitOptions jit) : state_(std::make_shared<State>(std::move(jit))) {}
Engine::Engine(std::shared_ptr<State> state) : state_(std::move(state)) {}
Engine::~Engine() = default;

std::vector<std::string> Engine::warnings() const { return state_->jit.warnings(); }

std::shared_ptr<const UpdatePlan> Engine::update_plan(const UpdateRequest& request, const Options& options) {
  return state_->updates.find_or_make(request, options, state_->jit);
}

Prepared Engine::prepare(const Request& request, const Options& options) {
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
    p.plan = std::make_shared<const Plan>(make_plan(*p.checked, options, state_->jit));
    p.report.from_disk = p.plan->kernel.from_disk_cache();
    if (cached) state_->plans.insert(key, {p.checked, p.plan});
  }
  if (p.plan->scheduled.copies.empty() && !options.stop_before_code)
    p.gathered = std::make_unique<const GatheredOperands>(*p.plan, *p.checked, p.operands, options.target.threads);
  p.report.notes = p.plan->scheduled.program.notes;
  p.report.compile_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return prepared;
}

Storage Engine::run(const Request& request, const Options& options, Report* report) {
  return prepare(request, options).run(report);
}

Storage Prepared::run(Report* report) {
  Storage result;
  run_into(result, report);
  return result;
}

void Prepared::run_into(Storage& result, Report* report) {
  State& p = *state_;
  if (p.gathered == nullptr || p.updates_diagonal) {
    run_into(p.operands, result, report);
    return;
  }
  if (report != nullptr) *report = p.report;
  run_plan(*p.plan, *p.checked, *p.gathered, p.options, report, result, &p.kept);
  double unused = 0;
  p.finish_nodes(result, report != nullptr ? report->finish_ms : unused);
}

Storage Prepared::run(const std::map<std::string, Storage>& operands, Report* report) {
  Storage result;
  run_into(operands, result, report);
  return result;
}

void Prepared::run_into(const std::map<std::string, Storage>& operands, Storage& result, Report* report) {
  State& p = *state_;
  internal_check(!p.options.stop_before_code, "a statement prepared only to be shown is run");
  Report ran = p.report;
  const Clock::time_point begin = Clock::now();
  const GatheredOperands gathered(*p.plan, *p.checked, operands, p.options.target.threads);
  ran.prepare_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  run_plan(*p.plan, *p.checked, gathered, p.options, &ran, result, &p.kept);
  if (p.updates_diagonal) {
    const Clock::time_point start = Clock::now();
    result =
        with_diagonal(operands.at(p.lhs.tensor.name()), result, p.lhs, p.format, result.type, p.options.target.threads);
    ran.finish_ms += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }
  p.finish_nodes(result, ran.finish_ms);
  if (report != nullptr) *report = std::move(ran);
}

void Prepared::State::finish_nodes(Storage& result, double& milliseconds) const {
  const Format& wanted = updates_diagonal ? format : checked->problem.result_format;
  if (!wanted.has_nodes() || result.format == wanted) return;
  const Clock::time_point start = Clock::now();
  Engine copying(engine);
  result = stored_as(copying, result, wanted, options);
  milliseconds += std::chrono::duration<double, std::milli>(Clock::now() - start).count();
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
