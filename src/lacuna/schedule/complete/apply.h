#pragma once

#include <variant>

#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// The loops under a schedule, or why they cannot be had.
using Outcome = std::variant<Scheduled, Refusal>;

/// The loops under one directive more.
Outcome apply_directive(const Scheduled& before, const Directive& d);

/// Loops whose directives are all applied, with what a kernel needs besides: the temporaries of the result, and a check
/// that parallel iterations do not disturb each other.
Outcome complete_schedule(const Scheduled& directed, const ScheduleProblem& problem, const Schedule& schedule);

/// The loops as the directives leave them, one after the other, without what a kernel needs besides. Throws Refused,
/// with the directive's place in the schedule's text, where one is refused.
Scheduled apply_directives(Scheduled bare, const Schedule& schedule);

/// The loops under a schedule: its directives applied in order, then completed. Throws Refused as apply_directives
/// does.
Scheduled apply_schedule(Scheduled bare, const ScheduleProblem& problem, const Schedule& schedule);

/// A refusal that was found when all directives were applied, with the place of the one that it names; without a place
/// where that could be several.
Refused with_place(const Refused& refused, const Schedule& schedule);

}  // namespace lacuna
