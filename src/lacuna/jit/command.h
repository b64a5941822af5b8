#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lacuna {

/// Where posix_spawnp will find a program; none where there is none.
std::optional<std::string> find_program(const std::string& name);

/// The words of LACUNA_CC, such as "ccache gcc -m64": the whole text where that is a program, whose path may have
/// blanks in it, else what blanks separate. No shell reads it, so quotes mean nothing. Throws RuntimeFailure when it
/// has none.
std::vector<std::string> words_of_command(const std::string& text);

}  // namespace lacuna
