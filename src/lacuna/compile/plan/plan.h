#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/codegen/c/print.h"
#include "lacuna/compile/plan/options.h"
#include "lacuna/compile/plan/request.h"
#include "lacuna/dynamic/memory/check_nodes.h"
#include "lacuna/lower/lower.h"
#include "lacuna/schedule/automatic/automatic.h"

namespace lacuna {

/// A compiled statement, or several in one kernel, independent of the operands' contents: what the in-memory cache
/// holds.
struct Plan {
  Scheduled scheduled;
  iteration::Nest nest;  // the loops of the scheduled program
  Lowered lowered;
  CSource source;
  CompiledKernel kernel;  // empty under the interpreter
  bool interpret = false;
  /// A program for a device: what the host does, and the functions that it launches.
  struct OnDevice {
    std::shared_ptr<Device> device;
    std::shared_ptr<DeviceProgram> program;
    std::shared_ptr<const loop::Interpreter> host;
  };
  std::optional<OnDevice> on_device = std::nullopt;
  std::shared_ptr<NodeChecks> node_checks = std::make_shared<NodeChecks>();  // of results in dynamic levels
  std::vector<std::string> notes = {};                                       // beside those of the program
};

/// What a note begins with where the automatic schedule could not be lowered, which is a mistake of ours that costs
/// time only.
inline constexpr std::string_view plain_schedule_note = "a plain schedule was taken, since the automatic one failed:";

/// A request that was checked: what scheduling needs, and the sizes and formats of this evaluation.
struct CheckedRequest {
  ScheduleProblem problem;
  Schedule schedule;
  std::vector<std::int64_t> result_dimensions;
  std::vector<CheckedRequest> further = {};  // of the further statements

  std::size_t statements() const { return 1 + further.size(); }
  const CheckedRequest& statement(std::size_t n) const { return n == 0 ? *this : further[n - 1]; }
};

/// Checks the statement against its operands; infers sizes, types and the result's format. Throws Error for a user's
/// mistake.
CheckedRequest check_request(const Request& request, const Options& options);

/// Equal keys mean equal checked requests and plans: the statement, every format, type, size and array width, the
/// quantised statistics that the schedule looks at, and the target. Left out: contents, names of files, the number of
/// threads beyond one (a run-time argument).
std::string request_key(const Request& request, const Options& options);

/// THE LIST: every pass from checked statement to kernel, in order. `before_compiling`: as Jit::load has it.
Plan make_plan(const CheckedRequest& checked, const Options& options, Jit& jit,
               const std::function<void()>& before_compiling = {});

}  // namespace lacuna
