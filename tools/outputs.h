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

/// Writes text to a file, completely or not at all; "-" is standard output.
void write_text(const std::string& path, const std::string& text);

/// Whether one of them is written to standard output, on which nothing else is printed then.
bool goes_to_standard_output(const Files& files);

}  // namespace lacuna::tool
