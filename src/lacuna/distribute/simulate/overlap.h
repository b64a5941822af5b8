#pragma once

#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// How many coordinates of the result the terms of a sum have, for each entry that one of them has: 1 where no two
/// store something at the same coordinates, and where that is not known. Looked for under some coordinates of the
/// result's first variable, in terms that are one tensor at the coordinates of the result. Operands lie there in whole.
double share_of_distinct(const PreparedLaunch& prepared);

}  // namespace lacuna
