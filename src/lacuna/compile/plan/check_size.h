#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/format/format.h"
#include "lacuna/support/type.h"

namespace lacuna {

/// Throws Error where a result's dense levels alone take more memory than this machine has: before any is allocated,
/// and with a format that would do.
void check_size(const std::string& result, const Format& format, const std::vector<std::int64_t>& dimensions,
                Type type);

}  // namespace lacuna
