#pragma once

#include <optional>

#include "lacuna/schedule/problem/problem.h"
#include "lacuna/support/error.h"

namespace lacuna {

/// The loops as the directives leave them, one after the other, without what a kernel needs besides. Throws Error where
/// one is not legal.
Scheduled apply_directives(Scheduled bare, const Schedule& schedule);

/// The loops under a schedule: its directives applied in order, then the temporaries that the result needs. Throws
/// Error, with the directive's place in the schedule's text, for a directive whose preconditions do not hold.
Scheduled apply_schedule(Scheduled bare, const ScheduleProblem& problem, const Schedule& schedule);

/// The same, or nothing where a directive is refused: for who tries schedules out.
std::optional<Scheduled> directives_if_legal(const Scheduled& bare, const Schedule& schedule);
std::optional<Scheduled> schedule_if_legal(const Scheduled& bare, const ScheduleProblem& problem,
                                           const Schedule& schedule);

/// An error that was found when all directives were applied, with the place of the one whose name its message begins
/// with; without a place where that could be several.
Error with_place(const Error& error, const Schedule& schedule);

}  // namespace lacuna
