#pragma once

#include "lacuna/distribute/plan/launch.h"

namespace lacuna::launch {

/// What is left of a schedule for each processor: the directives about loops that no processor shares with another.
/// Throws Error, with the directive's place, for one about a loop outside that only makes sense inside.
Schedule local_schedule(const Schedule& schedule, const Launch& launch);

}  // namespace lacuna::launch
