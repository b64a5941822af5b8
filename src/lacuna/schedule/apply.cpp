#include "lacuna/schedule/apply.h"

#include "lacuna/schedule/automatic/automatic.h"
#include "lacuna/schedule/automatic/bare_loops.h"
#include "lacuna/schedule/directives/directives.h"
#include "lacuna/schedule/finish/finish.h"
#include "lacuna/schedule/finish/races.h"

namespace lacuna {
namespace {

/// The place of the directive that a message about the whole schedule begins with the name of; none where that could
/// be several.
SourceRange place_of(std::string_view message, const Schedule& schedule) {
  SourceRange place;
  for (const Directive& d : schedule.directives) {
    if (!message.starts_with(fmt::format("{}: ", name_of(d)))) continue;
    if (place.known()) return {};
    place = d.where;
  }
  return place;
}

}  // namespace

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
  try {
    scheduled = finish(std::move(scheduled), problem);
    check_races(scheduled.program);
  } catch (const Error& e) {
    throw Error(e.what(), place_of(e.what(), schedule), schedule.text);
  }
  scheduled.schedule = schedule;
  concrete::verify(scheduled.program);
  return scheduled;
}

}  // namespace lacuna
