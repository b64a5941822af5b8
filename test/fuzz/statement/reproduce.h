#pragma once

#include <string>

#include "fuzz/statement/problem.h"

namespace lacuna::fuzz {

/// Writes the operands of a problem as files under `folder` (made if need be), and returns the `lacuna run` line that
/// evaluates and verifies it. What files cannot say (array widths, the order of unordered entries, repeated ones) is
/// lost: `describe` shows it.
std::string command_line(const Problem& problem, const std::string& folder, bool interpret);

/// The whole problem as text: statement, extents, formats, types, widths and every entry.
std::string describe(const Problem& problem);

}  // namespace lacuna::fuzz
