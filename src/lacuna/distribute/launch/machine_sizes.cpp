#include "lacuna/distribute/launch/launch.h"

namespace lacuna::launch {
namespace {

void fill_in(directive::Split& split, const Machine& machine) {
  if (!split.axis) return;
  split.size = machine.dimension(split.axis->level, split.axis->dimension).size();
  split.axis.reset();
}

void fill_in(directive::Distribute& d, const Machine& machine) {
  if (d.outer.empty() || !d.pieces.empty()) return;
  if (d.machine_level >= machine.levels())
    user_error("distribute: the machine {} has no level M[{}]", machine.to_string(), d.machine_level);
  const Grid& grid = machine.level(d.machine_level);
  if (grid.dimensions() != static_cast<int>(d.variables.size()))
    user_error("distribute: {} variables are distributed, but the machine's {} has {} dimensions", d.variables.size(),
               grid.to_string(), grid.dimensions());
  d.pieces = grid.sizes();
}

template <typename Other>
void fill_in(Other&, const Machine&) {}

}  // namespace

Schedule on_machine(const Schedule& schedule, const Machine& machine) {
  Schedule out = schedule;
  for (Directive& d : out.directives) {
    try {
      std::visit([&](auto& kind) { fill_in(kind, machine); }, d.kind);
    } catch (const Error& e) {
      throw Error(e.what(), d.where, schedule.text);
    }
  }
  return out;
}

}  // namespace lacuna::launch
