#pragma once

#include <vector>

#include "lacuna/schedule/complete/trials.h"

namespace lacuna {

/// The schedule with a call of BLAS in the place of every nest of loops that only multiplies dense matrices; those that
/// stand alone go through their rows by blocks, which stay in the cache and can be run on threads. The same schedule
/// where there are none.
Schedule with_matrix_products(ScheduleTrials& trials, const Schedule& schedule);

/// The same for the branches of splits: the innermost loop that two branches share goes in blocks, so that a producer
/// makes a block of rows and its consumer multiplies it, or a producer multiplies what a consumer takes row by row. One
/// schedule for each split where something is multiplied then.
std::vector<Schedule> in_row_blocks(ScheduleTrials& trials, const Schedule& schedule);

}  // namespace lacuna
