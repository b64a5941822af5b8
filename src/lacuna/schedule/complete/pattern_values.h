#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna {

/// Workspaces whose format nobody chose, and that are filled exactly where an operand has entries, get a value for each
/// of these instead of room for all coordinates. Each is then stored once, its sum added up in a scalar:
///   forall iw forall jw forall k w(iw,jw) += B(iw,jw)*C(iw,k)*D(jw,k)      w: bitmap
///   ->  forall iw forall jw (w(iw,jw) = t where forall k t += …)          w: values for the entries of B
/// So what comes of B costs what B does, and may be read by whoever comes to B's entries again.
void give_patterns(concrete::Program& program);

}  // namespace lacuna
