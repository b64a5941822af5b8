#pragma once

#include <string_view>

#include "lacuna/schedule/language/schedule.h"

namespace lacuna {

/// The directive of this name, in any case, aliases included; null where there is none.
const DirectiveHelp* find_directive(std::string_view name);

}  // namespace lacuna
