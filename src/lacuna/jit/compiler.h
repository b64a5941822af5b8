#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lacuna {

/// The user's text for a compiler that is not there.
std::string missing_compiler_message(const std::string& compiler);

/// Compiles a C file, which calls functions of these libraries, into a shared library. Throws RuntimeFailure when the
/// compiler cannot be started or is killed, and InternalError, with what it wrote, when it refuses the file.
void compile_shared(const std::string& compiler, const std::vector<std::string>& flags,
                    const std::filesystem::path& source, const std::vector<std::string>& libraries,
                    const std::filesystem::path& library);

}  // namespace lacuna
