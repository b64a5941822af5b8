#pragma once

#include <optional>

#include "fuzz/statement/problem.h"
#include "fuzz/statement/random.h"

namespace lacuna::fuzz {

/// What drawing had to throw away.
struct Rejections {
  std::int64_t meaning = 0;  // check_meaning refused the statement
  std::int64_t types = 0;    // a function does not take such arguments
  std::int64_t judge = 0;    // rounding may decide the result
  std::int64_t data = 0;     // a format cannot hold the entries drawn for it
};

/// Draws until a problem is legal, its data fit, and its result can be judged.
Problem draw_problem(Random& random, Rejections& rejections);

/// The same statement over the same formats, with other entries and other sizes that a cached kernel must serve as
/// well. None where the data drawn do not fit.
std::optional<Problem> redraw(Random& random, const Problem& problem);

/// Draws a format of any kinds of level, in any nesting that formats allow, in any mode order.
Format draw_format(Random& random, int order);
/// The same for a result: singletons only where each follows from the level above it.
Format draw_result_format(Random& random, int order);

/// Draws entries for an operand whose format, type and dimensions are set; may change the format to one that can hold
/// them. `special`: infinities, NaN and negative zeros, too.
void draw_entries(Random& random, Operand& operand, bool special, Rejections& rejections);

/// Draws a statement over tensors of the given names, and the extents of its variables. Not checked.
Statement draw_statement(Random& random, std::map<std::string, std::int64_t>& extents);

}  // namespace lacuna::fuzz
