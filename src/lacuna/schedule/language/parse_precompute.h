#pragma once

#include "lacuna/schedule/language/arguments.h"
#include "lacuna/schedule/language/schedule.h"

namespace lacuna {

/// Reads precompute(e,{i,…},{iw,…}[,NAME][,FORMAT]). After the lists comes the workspace's name, unless the argument
/// begins with the name of a format or of a level (csr, hashed, …; the letters of levels do not count): then it begins
/// the format, as all that comes after a name does. Throws Error as `a` does.
DirectiveKind read_precompute(const Arguments& a);

}  // namespace lacuna
