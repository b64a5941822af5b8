#pragma once

#include <string>
#include <vector>

namespace lacuna::golden {

/// The tokens of C text, comments and preprocessor lines left out.
std::vector<std::string> tokens(const std::string& text);

}  // namespace lacuna::golden
