#pragma once

#include "fuzz/statement/draw.h"
#include "fuzz/statement/problem.h"
#include "fuzz/statement/random.h"

namespace lacuna::fuzz {

/// A problem on a machine of 1 to 64 processors, in one grid or several, of one to three dimensions each; its tensors
/// lie there at random, and its schedule, if there is one, distributes loops.
Problem draw_problem_on_machine(Random& random, Rejections& rejections);

/// The sizes of a machine's grids.
std::vector<std::vector<std::int64_t>> draw_machine(Random& random);

/// Where a tensor of this format lies on the problem's machine, in tensor distribution notation: anything that there
/// is.
std::string draw_distribution(Random& random, const Format& format, const Problem& problem);

/// Directives that distribute loops of the problem's statement, mostly legal, perhaps with some for each processor.
std::vector<std::string> draw_launch(Random& random, const Problem& problem);

}  // namespace lacuna::fuzz
