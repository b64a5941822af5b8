#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lacuna/compile/plan/plan.h"

namespace lacuna::fuzz {

/// One mistake that a compiler could make, made on purpose in a plan.
struct Fault {
  std::string name;
  /// Changes the plan wherever the mistake would show; says whether it did. The statement's program is lowered again
  /// where the mistake is made before lowering.
  std::function<bool(Plan&)> plant;
};

/// A mistake in the scheduled program, which is lowered again where `change` says that it made one.
Fault in_program(std::string name, std::function<bool(concrete::Program&)> change);

/// Mistakes in loop IR: conditions, bounds, positions, arithmetic.
std::vector<Fault> expression_faults();
/// Mistakes in loop IR: statements that are missing, or done in another way.
std::vector<Fault> statement_faults();
/// Mistakes in what schedules make: windows, pieces, positions, workspaces, threads and what they put together.
std::vector<Fault> schedule_faults();
/// Mistakes in the concrete program and in what the plan says of its result and arguments.
std::vector<Fault> plan_faults();

}  // namespace lacuna::fuzz
