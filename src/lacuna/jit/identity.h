#pragma once

#include <optional>
#include <string>

namespace lacuna {

/// What tells one installed compiler from another: the words of its command, and for each that is a program (as both of
/// "ccache gcc") the path of its binary, its size and its time of change. None when there is no such program.
std::optional<std::string> compiler_identity(const std::string& compiler);

/// The processor that -march=native compiles for: a cache that machines share must keep their kernels apart.
std::string processor_identity();

}  // namespace lacuna
