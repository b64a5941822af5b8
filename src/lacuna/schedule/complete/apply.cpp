#include "lacuna/schedule/complete/apply.h"

#include "lacuna/schedule/complete/complete.h"
#include "lacuna/schedule/complete/races.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

Error with_place(const Error& error, const Schedule& schedule) {
  const std::string_view message = error.what();
  SourceRange place;
  for (const Directive& d : schedule.directives) {
    if (!message.starts_with(fmt::format("{}: ", name_of(d)))) continue;
    if (place.known()) return error;
    place = d.where;
  }
  return place.known() ? Error(error.what(), place, schedule.text) : error;
}

Scheduled apply_directives(Scheduled bare, const Schedule& schedule) {
  Scheduled scheduled = std::move(bare);
  for (const Directive& d : schedule.directives) {
    try {
      scheduled = std::visit([&](const auto& kind) { return apply(scheduled, kind); }, d.kind);
    } catch (const Error& e) {
      throw Error(e.what(), d.where, schedule.text);
    }
  }
  return scheduled;
}

Scheduled apply_schedule(Scheduled bare, const ScheduleProblem& problem, const Schedule& schedule) {
  Scheduled scheduled = apply_directives(std::move(bare), schedule);
  try {
    scheduled = finish(std::move(scheduled), problem);
    check_races(scheduled.program);
  } catch (const Error& e) {
    throw with_place(e, schedule);
  }
  scheduled.schedule = schedule;
  concrete::verify(scheduled.program);
  return scheduled;
}

std::optional<Scheduled> directives_if_legal(const Scheduled& bare, const Schedule& schedule) {
  try {
    return apply_directives(bare, schedule);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<Scheduled> schedule_if_legal(const Scheduled& bare, const ScheduleProblem& problem,
                                           const Schedule& schedule) {
  try {
    return apply_schedule(bare, problem, schedule);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace lacuna
