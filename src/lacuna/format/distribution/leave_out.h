#pragma once

#include "lacuna/format/format.h"

namespace lacuna {

/// Whether a tensor can be stored with fewer coordinates of a mode: a singleton level below a dense one has one for
/// each of its positions, and needs entries at each of them in the levels below.
bool can_leave_out(const Format& format, int mode);

}  // namespace lacuna
