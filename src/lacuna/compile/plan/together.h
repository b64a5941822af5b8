#pragma once

#include "lacuna/compile/plan/plan.h"

namespace lacuna {

// Several statements in one kernel: each is checked and scheduled as if it were alone, then their loops are joined
// (concrete/join.h).

/// The request that asks for the further statement `n` alone, under the schedule of all.
Request further_request(const Request& request, std::size_t n);

/// Throws Error where the statements cannot share a kernel: one makes or reads what another makes, or adds to a
/// diagonal.
void check_together(const CheckedRequest& checked);

/// The statements, each scheduled as asked, with their loops joined and all copies that they read. `plainly`: for
/// whoever asked for nothing, without what only makes kernels quicker.
Scheduled schedule_together(const CheckedRequest& checked, bool plainly = false);

}  // namespace lacuna
