#pragma once

#include <cstdint>
#include <string>

namespace lacuna {

/// A number of bytes for people: "80.0 GB".
std::string bytes_text(std::int64_t bytes);

}  // namespace lacuna
