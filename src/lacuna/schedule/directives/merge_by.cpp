#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

/// Says how a loop finds common coordinates. Galloping pays where all operands must have a coordinate; elsewhere it is
/// refused by lowering's own check of the lattice.
Scheduled apply(const Scheduled& before, const directive::MergeBy& d) {
  Scheduled after = before;
  const IndexVar v = directives::loop_variable(after.program, d.variable, "mergeby");
  after.program.root = directives::replace_loop(after.program.root, v, [&](const concrete::Forall& f) {
    concrete::Execution how = f.how;
    how.merge = d.merge;
    return concrete::forall(f.var, f.body, how);
  });
  return after;
}

}  // namespace lacuna
