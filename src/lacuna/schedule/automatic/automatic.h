#pragma once

#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// Chooses loop order, temporaries, copies of operands whose level order conflicts, the assembly of the result and who
/// runs which loop, by estimated work, and makes the schedule out of the directives that a user has. Any statement over
/// any formats has a schedule.
Scheduled schedule_automatically(const ScheduleProblem& problem);

/// The same without the directives that only make it quicker, of which lowering might refuse one.
Scheduled schedule_plainly(const ScheduleProblem& problem);

/// The statement under a user's schedule, which starts from `bare_loops`. An empty schedule is the automatic one.
/// Throws Error as `apply_schedule` does.
Scheduled schedule_as_asked(const ScheduleProblem& problem, const Schedule& schedule);

}  // namespace lacuna
