#include "lacuna/concrete/refusal.h"
#include "lacuna/schedule/directives/common.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {

namespace {

/// Lanes keep sums apart by themselves, and nothing else can be between them.
void check_strategy(const directive::Parallelize& d) {
  const bool adds_apart = d.race == concrete::Race::Atomics || d.race == concrete::Race::Temporary;
  if (d.unit == concrete::Unit::CpuVector && adds_apart)
    refuse("parallelize",
           "lanes of a vector cannot add by {}; say NoRaces or ParallelReduction, or run them by CPUThread",
           concrete::name_of(d.race));
  if (d.unit == concrete::Unit::Serial && d.race != concrete::Race::NoRaces)
    refuse("parallelize", "iterations that are not parallel have no use for {}; leave it out",
           concrete::name_of(d.race));
}

}  // namespace

/// Says who runs the iterations. Whether they race is looked at when all directives are applied (complete/races.h), for
/// later ones may change what the loop holds.
Scheduled apply(const Scheduled& before, const directive::Parallelize& d) {
  Scheduled after = before;
  const IndexVar v = directives::loop_variable(after.program, d.variable, name_of(Directive{d, {}}));
  check_strategy(d);
  after.program.root = directives::replace_loop(after.program.root, v, [&](const concrete::Forall& f) {
    if (d.unit != concrete::Unit::Serial && f.how.unroll > 0)
      refuse(name_of(Directive{d, {}}), "the loop over {} is unrolled; split it and unroll the inner piece",
             d.variable);
    concrete::Execution how = f.how;
    how.unit = d.unit;
    // Threads of a device have no arrays each, and scalars of their own in both cases.
    const bool has_scalars_only = concrete::on_device(d.unit) && d.race == concrete::Race::Temporary;
    how.race = has_scalars_only ? concrete::Race::ParallelReduction : d.race;
    return concrete::forall(f.var, f.body, how);
  });
  return after;
}

}  // namespace lacuna
