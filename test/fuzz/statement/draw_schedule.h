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

/// What a drawn schedule must have: so many directives and, if asked for, a loop on threads.
struct ScheduleWish {
  std::size_t directives = 0;
  bool threads = false;
};

/// A problem with such a schedule, drawn again until there is one; mostly of three threads where it uses threads, and
/// always where that was asked for.
Problem draw_scheduled_problem(Random& random, Rejections& rejections, const ScheduleWish& wish);

/// Another schedule, legal or not: directives dropped, repeated, moved, put in, or their words exchanged for others.
std::vector<std::string> mutate_schedule(Random& random, const Problem& problem);

}  // namespace lacuna::fuzz
