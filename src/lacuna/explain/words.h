#pragma once

#include <string>
#include <vector>

#include "lacuna/iteration/nest.h"

namespace lacuna {

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names, const char* last = "and");
/// "compressed", "compressed(nonunique)".
std::string level_words(const LevelFormat& level);
/// "csr"; "scalar" for order 0.
std::string format_words(const Format& format);
/// Which values a loop runs through: "all 1000", "what B or C stores".
std::string visits_words(const concrete::Program& program, const iteration::Nest& nest, const iteration::Loop& loop);
/// How a loop is run: "on threads", "unrolled by 4"; empty for a plain one.
std::vector<std::string> manner_words(const concrete::Execution& how);
/// "t += A(i,j) * x(j)"
std::string assignment_words(const concrete::Assign& assign);

}  // namespace lacuna
