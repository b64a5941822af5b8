#pragma once

#include <string_view>

#include "lacuna/io/io.h"

namespace lacuna {

/// Aborts unless the text is read or refused with an Error, the same by one thread at once as by two in the smallest
/// blocks; and unless what was read can be written in that format and then read back as the same tensor.
void check_reading(FileFormat format, std::string_view text);

/// Aborts with the message unless the condition holds.
void require(bool condition, std::string_view message);

}  // namespace lacuna
