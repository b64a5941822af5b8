#pragma once

#include <string>

namespace lacuna::tool {

/// The version of the project, "0.1.0".
inline std::string version() { return LACUNA_VERSION; }

}  // namespace lacuna::tool
