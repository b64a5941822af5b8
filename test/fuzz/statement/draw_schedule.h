#pragma once

#include <string>
#include <vector>

#include "fuzz/statement/draw.h"
#include "fuzz/statement/problem.h"
#include "fuzz/statement/random.h"

namespace lacuna::fuzz {

/// A schedule for the problem's statement: directives that are each accepted after those before. One to eight of them;
/// fewer, or none, where no more were accepted in the tries there are.
std::vector<std::string> draw_schedule(Random& random, const Problem& problem);

/// A problem with a schedule of at least so many directives, drawn again until there is one; mostly of three threads
/// where it uses threads.
Problem draw_scheduled_problem(Random& random, Rejections& rejections, std::size_t directives);

/// Another schedule, legal or not: directives dropped, repeated, moved, put in, or their words exchanged for others.
std::vector<std::string> mutate_schedule(Random& random, const Problem& problem);

}  // namespace lacuna::fuzz
