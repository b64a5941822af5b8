#pragma once

#include "lacuna/schedule/complete/trials.h"

namespace lacuna {

/// A schedule that branches, with what makes its branches as quick as kernels of their own: rows that they add to are
/// added up in registers, piece by piece; short sums are taken by vector lanes; rows that sparse coordinates lead to
/// are asked for ahead. What is not legal is left out.
Schedule with_quick_branches(ScheduleTrials& trials, const Schedule& branching);

}  // namespace lacuna
