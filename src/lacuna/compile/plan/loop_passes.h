#pragma once

#include "lacuna/compile/plan/options.h"
#include "lacuna/loop/ir.h"

namespace lacuna {

/// The module after every pass over loops, in their order: what the code generators print. `text`: gets the loops after
/// each pass that changes some, for `lacuna show --stage passes`; null: nothing is printed. Each pass leaves a module
/// that verifies and that the interpreter runs; what it does is said in loop/passes.h.
loop::Module run_passes(loop::Module module, const Target& target, std::string* text);

}  // namespace lacuna
