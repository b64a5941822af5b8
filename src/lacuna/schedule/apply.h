#pragma once

#include "lacuna/schedule/problem.h"

namespace lacuna {

/// The statement under a user's schedule: its directives applied in order to the loops that are chosen automatically,
/// then the temporaries that the result needs. Throws Error, with the directive's place in the schedule's text, for a
/// directive whose preconditions do not hold. An empty schedule is the automatic one.
Scheduled schedule_as_asked(const ScheduleProblem& problem, const Schedule& schedule);

/// The same from loops that are given.
Scheduled apply_schedule(Scheduled bare, const ScheduleProblem& problem, const Schedule& schedule);

}  // namespace lacuna
