#pragma once

#include "lacuna/distribute/run/prepare.h"

namespace lacuna {

/// Leaves summed variables of tasks only the coordinates that the stored entries of their parts have: what other
/// operands hold at others meets nothing. So an operand under another's coordinates, as c(j) under B(i,j), is fetched
/// by their image, which is numbered anew like any other set (SpDISTAL, section IV-B); tasks of one memory by that of
/// all their entries. Only where an eighth less has to move then, or where the image is an interval. Of an operand that
/// is held by parts, each rank finds the coordinates in its parts, and tells the others: collective then.
void narrow_to_images(const PreparedLaunch& prepared, std::vector<Task>& tasks, Communicator& ranks);

}  // namespace lacuna
