#include <chrono>

#include "lacuna/codegen/device/print.h"
#include "lacuna/compile/plan/loop_passes.h"
#include "lacuna/compile/plan/plan.h"
#include "lacuna/compile/plan/together.h"
#include "lacuna/device/cuda_functions.h"
#include "lacuna/device/device.h"
#include "lacuna/jit/blas.h"
#include "lacuna/loop/passes.h"
#include "lacuna/notation/parse.h"
#include "lacuna/runtime/level_kind.h"
#include "lacuna/schedule/complete/apply.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// A directive a line, as -s takes them.
std::string text_of(const Schedule& schedule) {
  std::string text;
  for (const Directive& d : schedule.directives) text += to_string(d) + "\n";
  return text;
}

/// Times the passes and hands each stage to the hook.
class Stages {
 public:
  explicit Stages(const StageHook& hook) : hook_(hook), start_(Clock::now()) {}
  template <typename Text>
  void done(const char* name, const char* folder, const Text& text) {
    if (!hook_) return;
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    hook_({name, folder, text(), ms});
    start_ = Clock::now();
  }

 private:
  using Clock = std::chrono::steady_clock;
  const StageHook& hook_;
  Clock::time_point start_;
};

/// Starting threads takes some microseconds, and going through an entry a few nanoseconds.
constexpr std::int64_t entries_worth_threads = 16384;

// An automatic schedule that cannot be lowered is a fault of ours: tests fail, and users get a slower kernel.
#ifdef NDEBUG
constexpr bool is_release = true;
#else
constexpr bool is_release = false;
#endif

/// How the kernel's arguments are stored, in their order.
std::vector<ArgumentFormat> argument_formats(const Lowered& lowered, const concrete::Program& program) {
  std::vector<ArgumentFormat> formats;
  for (const concrete::Tensor& t : program.tensors) {
    if (t.is_temporary()) continue;
    ArgumentFormat f{lowered.module.arguments[formats.size()], t.type, {}, t.role == concrete::Role::Result};
    for (int k = 0; k < t.format.order(); ++k)
      f.levels.push_back({level_kind_of_abi(t.format.level(k).kind).name, t.format.map().mode_of(k)});
    formats.push_back(std::move(f));
  }
  return formats;
}

bool asks_for_warps(const CheckedRequest& checked) { return checked.problem.turns_worth_warps > 0; }

CheckedRequest without_warps(CheckedRequest checked) {
  checked.problem.turns_worth_warps = 0;
  for (CheckedRequest& each : checked.further) each = without_warps(std::move(each));
  return checked;
}

/// Refuses operands and results whose levels are made of nodes, by their names.
void check_device_walks(const concrete::Program& program) {
  for (const concrete::Tensor& t : program.tensors)
    if (!t.is_temporary() && t.format.has_nodes())
      user_error("{} is stored as {}, and devices do not walk nodes yet: store it in arrays, as csr and dense do",
                 t.var.name(), t.format.to_string());
}

/// What a kernel is linked with; loaded here, so that BLAS is told what the processor can do.
std::vector<std::string> libraries_of(const CSource& source) {
  if (!source.calls_blas) return {};
  if (blas() == nullptr)
    throw RuntimeFailure(
        "a kernel calls BLAS, but there is no OpenBLAS: install one (on Debian: apt install libopenblas0-pthread), or "
        "leave substitute out of the schedule");
  return {blas()->path};
}

}  // namespace

Plan make_plan(const CheckedRequest& checked, const Options& options, Jit& jit,
               const std::function<void()>& before_compiling) {
  Stages stages(options.on_stage);
  Plan plan;
  stages.done("notation", "notation", [&] {
    std::string text;
    for (std::size_t n = 0; n < checked.statements(); ++n)
      text += to_string(checked.statement(n).problem.statement) + "\n";
    return text;
  });
  const bool checks = options.target.backend == Target::Backend::Interpreter;
  const auto lower_as = [&](Scheduled scheduled) {
    plan.scheduled = std::move(scheduled);
    plan.scheduled.program.name = options.kernel_name;
    stages.done("schedule", "schedule", [&] { return text_of(plan.scheduled.schedule); });
    stages.done("concrete", "schedule", [&] { return concrete::to_string(plan.scheduled.program); });
    plan.nest = iteration::analyze(plan.scheduled.program);
    stages.done("lattice", "iteration", [&] { return iteration::to_string(plan.nest); });
    plan.lowered =
        lower(plan.scheduled.program, plan.nest,
              {checks || options.target.device ? 0 : entries_worth_threads, options.target.device.has_value()});
  };
  // What the statement itself makes impossible, a plain schedule does not mend.
  const auto lower_plainly = [&](const Error& error) {
    const std::string note = fmt::format("{} {}", plain_schedule_note, error.what());
    lower_as(schedule_together(checked, true));
    internal_check(is_release, "{}", note);
    plan.scheduled.program.notes.push_back(note);
  };
  try {
    lower_as(schedule_together(checked));
  } catch (const Refused& refused) {
    if (!checked.schedule.empty()) throw with_place(refused, checked.schedule);
    lower_plainly(refused);
  } catch (const Error& error) {
    if (!checked.schedule.empty()) throw;
    lower_plainly(error);
  }
  if (!plan.lowered.iterators.empty()) stages.done("iterators", "lower", [&] { return plan.lowered.iterators; });
  if (options.target.device) check_device_walks(plan.scheduled.program);
  std::string passes;
  const auto pass = [&] {
    passes.clear();
    plan.lowered.module =
        run_passes(std::move(plan.lowered.module), options.target, options.shows_passes ? &passes : nullptr);
  };
  try {
    pass();
  } catch (const Error& error) {
    if (!checked.schedule.empty() || !asks_for_warps(checked)) throw;
    // Each thread by itself can do what the threads of a warp cannot do together.
    lower_as(schedule_together(without_warps(checked)));
    pass();
    plan.notes.push_back(fmt::format("a thread runs each iteration, not a warp: {}", error.what()));
  }
  if (options.shows_passes) stages.done("passes", "loop", [&] { return passes; });
  stages.done("loops", "loop", [&] { return loop::to_string(plan.lowered.module); });
  if (options.stop_before_code) return plan;
  plan.interpret = checks;
  if (plan.interpret) return plan;
  if (options.target.device) {
    const DeviceSource source = print_for_device(plan.lowered.module, *options.target.device);
    stages.done("device", "codegen", [&] { return source.kernels; });
    if (options.shows_ptx)
      stages.done("ptx", "device",
                  [&] { return cuda::ptx_of(cuda::open_compiler(CudaLibraries().compiler), source.code); });
    if (options.target.on != nullptr)
      plan.on_device = {options.target.on, options.target.on->build(source.code),
                        std::make_shared<const loop::Interpreter>(plan.lowered.module)};
    return plan;
  }
  std::vector<ArgumentFormat> formats;
  if (options.checks_arguments) formats = argument_formats(plan.lowered, plan.scheduled.program);
  plan.source = print_c(plan.lowered.module, std::move(formats));
  stages.done("c", "codegen", [&] { return plan.source.kernel; });
  plan.kernel = jit.load(plan.source.code, plan.source.entry, libraries_of(plan.source), before_compiling);
  return plan;
}

}  // namespace lacuna
