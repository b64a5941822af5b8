#pragma once

#include <sys/types.h>

#include <vector>

namespace lacuna::tool {

/// From now on, what a process that has ended had started belongs to this one, and so is among its descendants.
void adopt_orphans();

/// The processes that run and that this one has started, those that they have started, and so on. None where the system
/// does not list processes in /proc.
std::vector<pid_t> descendants();

/// Kills all of them. True where there were any; they may have started others meanwhile.
bool kill_descendants();

}  // namespace lacuna::tool
