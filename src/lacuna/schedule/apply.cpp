#include "lacuna/schedule/apply.h"

#include "lacuna/schedule/automatic/automatic.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/finish/finish.h"
#include "lacuna/schedule/finish/races.h"

namespace lacuna {

Scheduled schedule_as_asked(const ScheduleProblem& problem, const Schedule& schedule) {
  return schedule.empty() ? schedule_automatically(problem) : apply_schedule(bare_loops(problem), problem, schedule);
}

Scheduled apply_schedule(Scheduled bare, const ScheduleProblem& problem, const Schedule& schedule) {
  Scheduled scheduled = std::move(bare);
  for (const Directive& d : schedule.directives) {
    try {
      scheduled = std::visit([&](const auto& kind) { return apply(scheduled, kind); }, d.kind);
    } catch (const Error& e) {
      throw Error(e.what(), d.where, schedule.text);
    }
  }
  scheduled = finish(std::move(scheduled), problem);
  scheduled.schedule = schedule;
  check_races(scheduled.program);
  concrete::verify(scheduled.program);
  return scheduled;
}

}  // namespace lacuna
