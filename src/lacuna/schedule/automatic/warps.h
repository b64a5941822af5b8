#pragma once

#include "lacuna/schedule/complete/trials.h"

namespace lacuna {

/// On a device whose warps add up: a warp for each iteration of this loop, around which there is none, whose threads
/// share the innermost loops. Only where these have enough iterations, and do nearly all of the work. Whether it is so.
bool put_on_warps(ScheduleTrials& trials, Schedule& schedule, Scheduled& best, const IndexVar& outermost);

}  // namespace lacuna
