#pragma once

#include <map>
#include <string>

#include "lacuna/compile/plan/plan.h"
#include "lacuna/explain/explanation.h"
#include "support/random_request.h"

namespace lacuna {

/// The explanation of a statement over random operands, for one thread or two.
inline Explanation explained(const std::string& text, const std::map<std::string, RandomOperand>& operands,
                             const std::string& result = {}, const std::string& schedule = {}, int threads = 1) {
  Request request = random_request(text, operands, {{"i", 100}, {"j", 90}, {"k", 80}, {"l", 16}}, result);
  request.schedule = parse_schedule(schedule);
  Options options;
  options.target.threads = threads;
  options.target.backend = Target::Backend::Interpreter;
  const CheckedRequest checked = check_request(request, options);
  return explain(schedule_as_asked(checked.problem, checked.schedule), checked.problem, request.schedule.empty());
}

}  // namespace lacuna
