#pragma once

#include "lacuna/schedule/complete/trials.h"

namespace lacuna {

/// On a device, where the rows of the one operand that is summed differ much in length: the same number of its entries
/// for each thread, which add to the result atomically. Whether it is so.
bool put_on_equal_shares(ScheduleTrials& trials, Schedule& schedule, Scheduled& best);

}  // namespace lacuna
