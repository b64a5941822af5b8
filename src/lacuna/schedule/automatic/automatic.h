#pragma once

#include "lacuna/schedule/problem.h"

namespace lacuna {

/// Chooses loop order, temporaries, copies of operands whose level order conflicts, the assembly of the result and who
/// runs which loop, by estimated work, and makes the schedule out of the directives that a user has. Any statement over
/// any formats has a schedule.
Scheduled schedule_automatically(const ScheduleProblem& problem);

/// The same without the directives that only make it quicker, of which lowering might refuse one.
Scheduled schedule_plainly(const ScheduleProblem& problem);

}  // namespace lacuna
