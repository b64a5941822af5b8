#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/problem.h"

namespace lacuna::tool {

/// What is written, by tensor.
using Files = std::map<std::string, std::string>;

/// The files of -o NAME=FILE. Throws Error for names that the problem lacks, and for what is written twice.
Files read_outputs(const Problem& problem, const std::vector<std::string>& outputs);

/// Whether one of them is written to standard output, on which nothing else is printed then.
bool goes_to_standard_output(const Files& files);

}  // namespace lacuna::tool
