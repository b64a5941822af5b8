#pragma once

#include "lacuna/schedule/complete/trials.h"

namespace lacuna {

/// Extends the schedule that made `best` by `parallelize` directives: for the outermost loop of the nest that makes the
/// result, and for that of each nest that runs before it. A loop is put on threads where its iterations share nothing,
/// or where sums that are kept apart pay. Never with atomic additions, whose order differs from run to run, and never
/// below a serial loop, which would start the threads anew in each of its iterations.
void put_on_threads(ScheduleTrials& trials, Schedule& schedule, Scheduled& best);

}  // namespace lacuna
