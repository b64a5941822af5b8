#pragma once

#include <set>

#include "lacuna/loop/ir.h"

namespace lacuna {

/// The statement without the memory in `unneeded`, of which nothing is ever read or written: what declares, allocates
/// and releases it. Threads that then have nothing to set up have no setup.
loop::Stmt without_unneeded(const loop::Stmt& stmt, const std::set<loop::Var>& unneeded);

}  // namespace lacuna
