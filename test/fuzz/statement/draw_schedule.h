#pragma once

#include <string>
#include <vector>

#include "fuzz/statement/problem.h"
#include "fuzz/statement/random.h"

namespace lacuna::fuzz {

/// Draws directives one after the other, keeping those that the loops so far allow: a legal schedule, as texts. May be
/// empty where nothing was accepted in the tries there are.
std::vector<std::string> draw_schedule(Random& random, const Problem& problem);

/// Gives the problem a schedule, as much of one as leaves it to be judged.
void add_schedule(Random& random, Problem& problem);

/// Another schedule, legal or not: directives dropped, repeated, moved, or their words exchanged.
std::vector<std::string> mutate_schedule(Random& random, std::vector<std::string> schedule);

}  // namespace lacuna::fuzz
