#pragma once

#include "lacuna/concrete/program.h"

namespace lacuna {

/// Replaces each loop over a derived variable that is the last one to say what a variable of the statement is, by a
/// loop over that variable: lowering then runs it over the window that the loops outside leave, merging what is stored
/// there.
///
///   forall io forall ii S   ->  forall io forall i S        where i = io and ii
///   forall fo forall fi S   ->  forall fo forall i forall j S   where f = pairs of i and j, f = fo and fi
///
/// A loop whose variable takes strided values (forall ii forall io S) stays as it is: each value is computed and
/// searched for.
concrete::Stmt resolve_windows(const concrete::Stmt& s, const concrete::Provenance& provenance);

}  // namespace lacuna
