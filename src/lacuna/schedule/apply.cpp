#include "lacuna/schedule/apply.h"

#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/finish/finish.h"
#include "lacuna/schedule/finish/races.h"

namespace lacuna {

Scheduled schedule_as_asked(const ScheduleProblem& problem, const Schedule& schedule) {
  if (schedule.empty()) return schedule_automatically(problem);
  Scheduled scheduled = bare_loops(problem);
  for (const Directive& d : schedule.directives) {
    try {
      scheduled = std::visit([&](const auto& kind) { return apply(scheduled, kind); }, d.kind);
    } catch (const Error& e) {
      throw Error(e.what(), d.where, schedule.text);
    }
  }
  scheduled = finish(std::move(scheduled), problem);
  check_races(scheduled.program);
  concrete::verify(scheduled.program);
  return scheduled;
}

}  // namespace lacuna
