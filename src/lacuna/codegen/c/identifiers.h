#pragma once

#include <string_view>

#include "lacuna/loop/ir.h"

namespace lacuna {

/// Throws InternalError unless every name of the module can stand in a C text as it is: identifiers that are neither
/// keywords nor names that the text uses itself, distinct where C needs it, and places made of members of arguments.
/// The names come from users in the end, so that this is also what keeps their text out of the compiler's input.
void check_names(const loop::Module& module);

/// Text for a comment of one line: without what would end the comment or join the next line to it.
std::string comment_text(std::string_view text);

}  // namespace lacuna
