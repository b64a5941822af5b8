#pragma once

#include "lacuna/schedule/complete/trials.h"

namespace lacuna {

/// Dense operands read from copies in another order of modes, in front of the schedule, where its innermost loops would
/// come to elements that lie apart and with the copy to neighbours. Without comparing what that saves with what copying
/// takes. The same schedule where there are none.
Schedule with_copies(ScheduleTrials& trials, const Schedule& schedule);

}  // namespace lacuna
