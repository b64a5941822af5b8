#pragma once

#include "lacuna/schedule/language/arguments.h"

namespace lacuna {

/// Reads the arguments of a loopfuse, all of which are there.
DirectiveKind read_loopfuse(const Arguments& a);

}  // namespace lacuna
