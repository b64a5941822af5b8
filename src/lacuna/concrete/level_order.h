#pragma once

#include <utility>
#include <vector>

#include "lacuna/concrete/program.h"

namespace lacuna::concrete {

/// The modes of a tensor by level: by its format, or those of a workspace in the order in which these loops, outermost
/// first, come to know the variables that index them.
std::vector<int> modes_by_level(const Program& program, const Access& access, const std::vector<IndexVar>& loops);

/// The variables that index a tensor's levels where it is accessed, the outermost level first. The levels of a
/// workspace are in the order of the loops around the first access that reads it.
std::vector<IndexVar> level_variables(const Program& program, const Access& access);

/// The levels, first and last, whose positions a derivation counts along its access.
std::pair<int, int> counted_levels(const Program& program, const Position& position);

}  // namespace lacuna::concrete
