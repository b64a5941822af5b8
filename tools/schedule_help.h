#pragma once

#include <string>

#include "lacuna/schedule/language/help.h"
#include "tools/directive_pages.h"

namespace lacuna::tool {

/// `lacuna help schedule`: what a schedule is, and every directive with its form.
std::string schedule_page();

/// `lacuna help DIRECTIVE`: form, effect, conditions, and an example whose loops are made by compiling it.
std::string directive_page(const DirectiveHelp& directive);

/// The page of a directive. Throws InternalError where it has none.
const DirectivePage& page_of(const DirectiveHelp& directive);

/// All that is scheduled in an example, as -s takes it.
std::string example_schedule(const DirectiveExample& example);

/// The loops of an example's statement, as `lacuna show --stage concrete` prints them, before its directive or after.
std::string loops_before(const DirectiveExample& example);
std::string loops_after(const DirectiveExample& example);

}  // namespace lacuna::tool
