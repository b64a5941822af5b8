#include "lacuna/schedule/complete/apply.h"

#include "lacuna/concrete/walk.h"
#include "lacuna/schedule/complete/complete.h"
#include "lacuna/schedule/complete/races.h"
#include "lacuna/schedule/directives/directives.h"

namespace lacuna {
namespace {

/// Where the only directive of a name is in the schedule's text; unknown where there are several.
SourceRange place_of(const std::string& directive, const Schedule& schedule) {
  SourceRange place;
  for (const Directive& d : schedule.directives) {
    if (name_of(d) != directive) continue;
    if (place.known()) return {};
    place = d.where;
  }
  return place;
}

/// Blocks hold warps, and both hold threads: what is around a loop of some unit.
void check_nesting(const concrete::Stmt& s, const concrete::Forall* around) {
  const auto* f = std::get_if<concrete::Forall>(&s->kind);
  if (f != nullptr && on_device(f->how.unit)) {
    if (around != nullptr && f->how.unit != concrete::Unit::GpuThread && f->how.unit <= around->how.unit)
      refuse("parallelize", "the loop over {} runs inside of {}, which {} runs: {} cannot run it; use a smaller unit",
             f->var.name(), around->var.name(), name_of(around->how.unit), name_of(f->how.unit));
    around = f;
  }
  concrete::each_part(s, [&](const concrete::Stmt& part) { check_nesting(part, around); });
}

/// Devices and processors run loops by other units.
void check_units(const concrete::Program& program, bool device) {
  concrete::each_loop(program.root, [&](const concrete::Forall& f) {
    const concrete::Unit unit = f.how.unit;
    if (device && (unit == concrete::Unit::CpuThread || unit == concrete::Unit::CpuVector))
      refuse("parallelize", "{} is a unit of processors, and {} runs on a device: use GPUThread", name_of(unit),
             f.var.name());
    if (!device && on_device(unit))
      refuse("parallelize",
             "{} is a unit of devices, and {} runs on processors: use CPUThread, or choose a device as the target",
             name_of(unit), f.var.name());
  });
  check_nesting(program.root, nullptr);
}

}  // namespace

Refused with_place(const Refused& refused, const Schedule& schedule) {
  Refusal refusal = refused.refusal();
  refusal.where = place_of(refusal.directive, schedule);
  return Refused(std::move(refusal), schedule.text);
}

Outcome apply_directive(const Scheduled& before, const Directive& d) {
  try {
    return std::visit([&](const auto& kind) { return apply(before, kind); }, d.kind);
  } catch (const Refused& refused) {
    Refusal refusal = refused.refusal();
    refusal.where = d.where;
    return refusal;
  }
}

Outcome complete_schedule(const Scheduled& directed, const ScheduleProblem& problem, const Schedule& schedule) {
  try {
    Scheduled scheduled = finish(directed, problem);
    check_units(scheduled.program, problem.device);
    check_races(scheduled.program);
    scheduled.schedule = schedule;
    concrete::verify(scheduled.program);
    return scheduled;
  } catch (const Refused& refused) {
    Refusal refusal = refused.refusal();
    refusal.where = place_of(refusal.directive, schedule);
    return refusal;
  }
}

Scheduled apply_directives(Scheduled bare, const Schedule& schedule) {
  Scheduled scheduled = std::move(bare);
  for (const Directive& d : schedule.directives) {
    Outcome next = apply_directive(scheduled, d);
    if (const auto* refusal = std::get_if<Refusal>(&next)) throw Refused(*refusal, schedule.text);
    scheduled = std::get<Scheduled>(std::move(next));
  }
  return scheduled;
}

Scheduled apply_schedule(Scheduled bare, const ScheduleProblem& problem, const Schedule& schedule) {
  Outcome all = complete_schedule(apply_directives(std::move(bare), schedule), problem, schedule);
  if (const auto* refusal = std::get_if<Refusal>(&all)) throw Refused(*refusal, schedule.text);
  return std::get<Scheduled>(std::move(all));
}

}  // namespace lacuna
