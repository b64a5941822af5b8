#include "fuzz/statement/runner.h"

#include "fuzz/statement/distort_statistics.h"
#include "fuzz/statement/judge.h"
#include "fuzz/statement/together.h"
#include "lacuna/compile/engine/numbers.h"
#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/compile/plan/diagonal.h"
#include "lacuna/compile/run/run_plan.h"
#include "lacuna/distribute/run/prepared_on_machine.h"
#include "lacuna/notation/check.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/check.h"
#include "support/by_parts.h"
#include "support/round_trip.h"

namespace lacuna::fuzz {
namespace {

/// The same problem with each operand's values at other entries of it; none where rounding would decide its result.
std::optional<Expected> with_other_values(const Problem& problem) {
  Problem other = problem;
  for (auto& [name, operand] : other.operands) {
    std::vector<Entry>& entries = operand.entries;
    for (std::size_t e = 1; e < entries.size(); ++e) std::swap(entries[e - 1].value, entries[e].value);
  }
  try {
    return Expected(other);
  } catch (const Error&) {
    return std::nullopt;
  }
}

template <typename Evaluate>
Outcome outcome_of(const Evaluate& evaluate) {
  try {
    return evaluate();
  } catch (const Error& error) {
    return {Verdict::Refused, error.what()};
  } catch (const std::exception& error) {
    return {Verdict::Fails, error.what()};
  }
}

}  // namespace

Expected::Expected(const Problem& problem) : request_(request_of(problem)), format_(problem.result_format) {
  const Statement& s = problem.statement;
  FactsByName facts;
  for (const auto& [name, t] : request_.operands) facts[name] = {t.type, t.dimensions};
  type_ = problem.result_type ? *problem.result_type
          : s.accumulate      ? request_.operands.at(problem.result()).type
                              : compute_type(s, facts);
  reference_ = evaluate_reference(s, request_.operands, type_, infer_dimensions(s, facts, request_.sizes));
  const std::optional<CompareOptions> tolerance = tolerance_of(problem);
  if (!tolerance) user_error("rounding may decide the result");
  tolerance_ = *tolerance;
}

Outcome Expected::judge(const Storage& result) const {
  try {
    validate(result, "the result");
  } catch (const Error& error) {
    return {Verdict::Fails, fmt::format("the result is not well made: {}", error.what())};
  }
  if (format_ && !(result.format == *format_))
    return {Verdict::Fails, fmt::format("the result has format {}", result.format.to_string())};
  if (result.type != type_)
    return {Verdict::Fails, fmt::format("the result has type {}, not {}", type_name(result.type), type_name(type_))};
  if (const auto found = difference(result, to_storage(reference_, result.format), tolerance_))
    return {Verdict::Differs, *found};
  return {};
}

Runner::Runner(Target::Backend backend, JitOptions jit, Communicator* ranks)
    : backend_(backend), jit_(jit), engine_(std::move(jit)), alone_(alone()), ranks_(ranks ? *ranks : *alone_) {}

/// What running something on every rank comes to: what the first of them says that has found something wrong.
Outcome Runner::agreed(const std::function<Outcome()>& run) {
  const Outcome mine = outcome_of(run);
  if (ranks_.ranks() == 1) return mine;
  std::vector<Outcome> all;
  for (const std::string& text :
       ranks_.gather_all(static_cast<char>('0' + static_cast<int>(mine.verdict)) + mine.message))
    all.push_back({static_cast<Verdict>(text[0] - '0'), text.substr(1)});
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].bad()) return {all[r].verdict, fmt::format("on rank {}: {}", r, all[r].message)};
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r].verdict != all[0].verdict || all[r].message != all[0].message)
      return {Verdict::Fails, fmt::format("rank 0 says '{}', and rank {} '{}'", all[0].message, r, all[r].message)};
  return mine;
}

Outcome Runner::run(const Problem& problem, const PlanHook& hook) {
  if (problem.is_distributed()) return run_on_machine(problem);
  return agreed([&] {
    const Expected expected(problem);
    const Outcome outcome = expected.judge(evaluate(expected.request(), problem.threads, hook));
    if (outcome.bad() || !problem.schedule.empty() || updates_diagonal(problem.statement)) return outcome;
    if (const auto work = multiplied_work(expected.request(), problem.threads)) return Outcome{Verdict::Fails, *work};
    return expected.judge(evaluate_as_another(expected.request(), problem.threads, problem.statement.text));
  });
}

/// Whether several ranks could only end all together: what is refused while they run, they do not throw. Then one
/// process refuses it, too, whose refusal this is.
std::optional<std::string> Runner::refused_while_running(const DistributedRequest& request, const Options& options) {
  if (ranks_.ranks() == 1) return std::nullopt;
  try {
    run_in_process(engine_, request, options);
    return std::nullopt;
  } catch (const Error& error) {
    const Outcome planned = outcome_of([&]() -> Outcome { return plan_distributed(request), Outcome(); });
    return planned.verdict == Verdict::Agrees ? std::optional<std::string>(error.what()) : std::nullopt;
  }
}

Outcome Runner::run_on_machine(const Problem& problem) {
  std::optional<Expected> expected;
  DistributedRequest request;
  DistributedReport report;
  const Options options = this->options(problem.threads);
  Outcome outcome = agreed([&]() -> Outcome {
    expected.emplace(problem);
    request = on_machine(problem, expected->request());
    if (auto message = refused_while_running(request, options)) return {Verdict::Refused, *message};
    return {};
  });
  if (outcome.verdict != Verdict::Agrees) return outcome;
  outcome = agreed([&]() -> Outcome {
    const Storage result = run_on(ranks_, engine_, request, options, &report);
    if (ranks_.rank() != 0) return {};
    if (Outcome judged = expected->judge(result); judged.verdict != Verdict::Agrees) return judged;
    if (const auto found = simulated_otherwise(request, report)) return {Verdict::Differs, *found};
    return {};
  });
  if (outcome.verdict != Verdict::Agrees) return outcome;
  machine_counts_.note(report);
  std::vector<Expected> runs{*expected, *expected};
  if (auto other = with_other_values(problem)) {
    runs.push_back(std::move(*other));
    runs.push_back(*expected);
  }
  outcome = judge_kept(problem, runs, options, false);
  return outcome.bad() ? outcome : judge_kept(problem, runs, options, true);
}

/// A plan that is kept computes in another way, the same the second time, and then with other values. It must not
/// refuse what one that is not kept computed.
Outcome Runner::judge_kept(const Problem& problem, const std::vector<Expected>& runs, const Options& options,
                           bool by_their_parts) {
  PreparedOnMachine prepared;
  Outcome outcome;
  for (std::size_t run = 0; run < runs.size() && outcome.verdict == Verdict::Agrees; ++run) {
    outcome = agreed([&]() -> Outcome {
      const DistributedRequest whole = on_machine(problem, runs[run].request());
      const DistributedTensor result =
          prepared.run(engine_, by_their_parts ? by_parts(whole, ranks_) : whole, ranks_, options);
      const Storage got = gathered(result, ranks_, Recipients::First);
      if (ranks_.rank() != 0) return {};
      return runs[run].judge(stored_as(engine_, got, result.format(), options));
    });
    if (outcome.verdict == Verdict::Agrees) continue;
    if (outcome.verdict == Verdict::Refused) outcome.verdict = Verdict::Fails;
    outcome.message =
        fmt::format("run {} of a kept plan{}: {}", run + 1, by_their_parts ? ", by parts" : "", outcome.message);
  }
  return outcome;
}

Outcome Runner::run(const Expected& expected, int threads, const Plan& plan) {
  return outcome_of([&] {
    const Options options = this->options(threads);
    return expected.judge(run(plan, check_request(expected.request(), options), expected.request(), options));
  });
}

Outcome Runner::run_cached(const Problem& problem) {
  return outcome_of([&] {
    const Expected expected(problem);
    return expected.judge(engine_.run(expected.request(), options(problem.threads)));
  });
}

Outcome Runner::run_together(const Problem& problem) {
  return outcome_of([&] {
    const std::vector<Problem> beside = problems_beside(problem);
    const Request request = together(problem, beside);
    const std::vector<Storage> results = engine_.prepare(request, options(problem.threads)).run_all();
    Outcome outcome = Expected(problem).judge(results.front());
    for (std::size_t n = 0; n < beside.size() && !outcome.bad(); ++n) {
      outcome = Expected(beside[n]).judge(results[n + 1]);
      if (outcome.bad()) outcome.message = to_string(beside[n].statement) + ": " + outcome.message;
    }
    return outcome;
  });
}

Outcome Runner::run_passing_numbers(const Problem& problem) {
  return outcome_of([&] {
    const Expected expected(problem);
    Request request = expected.request();
    pass_numbers(request);
    return expected.judge(evaluate(request, problem.threads, nullptr));
  });
}

Options Runner::options(int threads) const {
  Options options;
  options.target.backend = backend_;
  options.target.threads = threads;
  if (is_on_device_) options.target.device = device_ == nullptr ? DeviceLanguage::Cuda : device_->language();
  options.target.on = device_;
  options.target.blas = backend_ == Target::Backend::Interpreter;  // which needs none
  options.target.vector_bytes = 64;  // small rows are summed in pieces of four doubles, and a rest
  options.interpret.max_steps = max_steps_;
  options.interpret.max_bytes = std::int64_t{1} << 28;
  return options;
}

Storage Runner::evaluate(const Request& request, int threads, const PlanHook& hook) {
  // Adding to a diagonal takes two kernels, which only the engine knows of.
  const Options options = this->options(threads);
  if (updates_diagonal(request.statement)) return engine_.run(request, options);
  return evaluate(check_request(request, options), request, options, hook);
}

/// Under the schedule that is chosen for other statistics than those of the operands.
Storage Runner::evaluate_as_another(const Request& request, int threads, const std::string& seed) {
  const Options options = this->options(threads);
  CheckedRequest checked = check_request(request, options);
  Random random(std::hash<std::string>()(seed));
  distort_statistics(random, checked.problem);
  return evaluate(checked, request, options, nullptr);
}

Storage Runner::evaluate(const CheckedRequest& checked, const Request& request, const Options& options,
                         const PlanHook& hook) {
  const Plan plan = make_plan(checked, options, jit_);
  for (const std::string& note : plan.scheduled.program.notes)
    if (note.starts_with(plain_schedule_note)) throw InternalError(note);
  if (const auto lost = round_trip_difference(checked.problem, plan.scheduled)) throw InternalError(*lost);
  if (hook) hook(plan);
  return run(plan, checked, request, options);
}

namespace {

/// The variable of a loop on threads below a serial one, which starts the threads anew in each of its iterations.
std::optional<std::string> threads_below_serial(const concrete::Stmt& s, bool below = false) {
  const auto look = [&](const concrete::Stmt& x) { return threads_below_serial(x, below); };
  return concrete::match(
      s,
      [&](const concrete::Forall& f) -> std::optional<std::string> {
        const bool threads = f.how.unit == concrete::Unit::CpuThread;
        if (threads && below) return f.var.name();
        return threads ? std::nullopt : threads_below_serial(f.body, true);
      },
      [&](const concrete::Where& w) {
        const auto found = look(w.consumer);
        return found ? found : look(w.producer);
      },
      [](const concrete::Assign&) { return std::optional<std::string>(); },
      [&](const concrete::Sequence& q) {
        std::optional<std::string> found;
        for (const concrete::Stmt& x : q.statements) found = found ? found : look(x);
        return found;
      });
}

}  // namespace

/// Whether the automatic schedule does much more on several threads than on one: it moves more than a few times the
/// bytes, or starts threads in each iteration of a loop.
std::optional<std::string> Runner::multiplied_work(const Request& request, int threads) {
  constexpr std::int64_t times = 4, beside = 65536;  // each share of an appended result has arrays of its own
  if (threads == 1 || is_on_device_ || backend_ != Target::Backend::Interpreter) return std::nullopt;
  const auto work = [&](int on) {
    const Options options = this->options(on);
    const CheckedRequest checked = check_request(request, options);
    const Plan plan = make_plan(checked, options, jit_);
    if (const auto loop = threads_below_serial(plan.scheduled.program.root))
      throw InternalError(fmt::format("the automatic schedule puts {} on threads below a serial loop", *loop));
    Report report;
    run(plan, checked, request, options, &report);
    return report.counters.bytes_loaded + report.counters.bytes_stored;
  };
  const std::int64_t on_one = work(1), on_many = work(threads);
  if (on_many <= times * on_one + beside) return std::nullopt;
  return fmt::format("{} threads move {} bytes, and one moves {}", threads, on_many, on_one);
}

/// As the engine does: a result that the kernel leaves in arrays is put into nodes by another. `report`, if any, is
/// that of the first.
Storage Runner::run(const Plan& plan, const CheckedRequest& checked, const Request& request, const Options& options,
                    Report* report) {
  Report unread;
  const Storage result = run_plan(plan, checked, request.operands, options, report ? *report : unread).front();
  const bool nodes = request.result_format && request.result_format->has_nodes();
  return nodes ? stored_as(engine_, result, *request.result_format, options) : result;
}

}  // namespace lacuna::fuzz
