#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/compile/plan/report.h"

namespace lacuna {

class GatheredOperands;
class KeptMemory;

/// Runs a plan on operands that are gathered: calls the kernel, makes the results, one a statement. What `results` were
/// lends its memory where it has the right format, type and size and nobody else holds it. `report`, if any, gets the
/// times; `kept`, if any, the memory of temporaries, for the next run.
void run_plan(const Plan& plan, const CheckedRequest& checked, const GatheredOperands& operands, const Options& options,
              Report* report, std::span<Storage> results, KeptMemory* kept = nullptr);

/// The same, gathering the operands first: makes the copies that the plan reads.
std::vector<Storage> run_plan(const Plan& plan, const CheckedRequest& checked,
                              const std::map<std::string, Storage>& operands, const Options& options, Report& report);

}  // namespace lacuna
