#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lacuna/tensor/storage.h"

namespace lacuna {

/// A tensor as text: a line with its name (which may be empty), type, dimensions and format, then a line for each of
/// its first stored entries, at most `most`.
std::string to_text(const Storage& tensor, std::string_view name, std::int64_t most = 20);

}  // namespace lacuna
