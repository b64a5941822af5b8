#pragma once

#include <string>

namespace lacuna::tool {

/// "there is no file A.mxt; did you mean A.mtx?", where a file beside it has nearly that name.
std::string missing_file_message(const std::string& path);
/// Throws Error with that unless something is there.
void require_file(const std::string& path);

}  // namespace lacuna::tool
