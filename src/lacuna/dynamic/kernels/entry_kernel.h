#pragma once

#include <string>

#include "lacuna/dynamic/kernels/arguments.h"

namespace lacuna {

/// Names that the functions of levels must not have.
loop::NameSupply reserved_names();

/// What begins and ends a kernel that keeps the states of levels.
std::vector<loop::Stmt> make_states(const UpdateLevels& levels);
std::vector<loop::Stmt> release_states(const UpdateLevels& levels);

/// A kernel over a tensor and a batch with this body, and with the functions and records of levels that it reaches.
Lowered entry_kernel(std::vector<loop::Stmt> body, std::string description, const UpdateLevels& levels,
                     UpdateArguments& arguments, const loop::NameSupply& names);

}  // namespace lacuna
