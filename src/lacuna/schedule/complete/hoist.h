#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna {

/// Moves the producers of scalars out of the loops whose variables they do not depend on:
///
///   forall i (y(i) = t where forall j t += e(j))  ->  (forall i y(i) = t) where forall j t += e(j)
concrete::Stmt hoist_producers(const concrete::Program& program);

}  // namespace lacuna
