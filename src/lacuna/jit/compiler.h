#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lacuna {

/// The user's text for a compiler that is not there.
std::string missing_compiler_message(const std::string& compiler);

/// Compiles a C file, which calls functions of these libraries, into a shared library, beside which the compiler's own
/// temporary files go. Throws RuntimeFailure, with what the compiler wrote, when it cannot be started, is killed or
/// fails for reasons of its own, and InternalError when it finds a fault in the file.
void compile_shared(const std::string& compiler, const std::vector<std::string>& flags,
                    const std::filesystem::path& source, const std::vector<std::string>& libraries,
                    const std::filesystem::path& library);

}  // namespace lacuna
