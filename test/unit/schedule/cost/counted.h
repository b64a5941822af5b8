#pragma once

#include <map>
#include <string>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/schedule/cost/estimate.h"
#include "support/random_request.h"
#include "unit/compile/interpreted.h"

namespace lacuna {

/// What is expected of a request's kernel, beside what the checking interpreter counts when it runs.
struct Compared {
  cost::Estimate expected;
  loop::Counters counted;
  double expected_trips = 0, counted_trips = 0;  // of all loops together
};

inline Compared compare_counts(Request request, const std::string& schedule = {}) {
  request.schedule = parse_schedule(schedule);
  const CheckedRequest checked = check_request(request, interpreted());
  const Scheduled plan = schedule_as_asked(checked.problem, checked.schedule);
  std::map<std::string, double> stored;
  for (const auto& [name, t] : request.operands) stored[name] = static_cast<double>(t.stored());
  const cost::Counts counts = cost::count_operands(plan, checked.problem, stored);
  Compared c{cost::estimate(plan.program, iteration::analyze(plan.program), counts), {}, 0, 0};
  Report report;
  Engine(JitOptions{"cc", default_c_flags(), "", ""}).run(request, interpreted(), &report);
  c.counted = report.counters;
  for (const cost::LoopEstimate& l : c.expected.loops) c.expected_trips += l.trips;
  for (const auto& [variable, trips] : c.counted.trips) c.counted_trips += static_cast<double>(trips);
  return c;
}

}  // namespace lacuna
