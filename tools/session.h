#pragma once

#include <map>
#include <string>
#include <vector>

#include "lacuna/compile/engine/stored_as.h"
#include "lacuna/engine/engine.h"
#include "tools/problem.h"

namespace lacuna::tool {

/// An engine set up as the environment says.
Engine make_engine();
/// The tensor in a format with dynamic levels, which a kernel fills; as it is in other formats.
Storage with_nodes(const Storage& arrays, const Format& format);
/// Prints a warning on stderr.
void print_warning(const std::string& warning);
/// Prints what the engine had to work around (a read-only cache folder, …) as warnings on stderr.
void print_warnings(const Engine& engine);
/// The same, after what is probably a mistake in the statement.
void print_warnings(const Problem& problem, const Engine& engine);
/// The request that evaluates a problem on these operands.
Request request_of(const Problem& problem, std::map<std::string, Storage> operands);
/// Prints "note: …" lines on stdout.
void print_notes(const std::vector<std::string>& notes);

}  // namespace lacuna::tool
