#include "lacuna/distribute/plan/launch.h"

#include "lacuna/concrete/refusal.h"

namespace lacuna::launch {
namespace {

const Machine& required(const std::optional<Machine>& machine, std::string_view directive) {
  if (!machine)
    refuse(directive, "M is the machine that the statement runs on, and there is none; give one, or write numbers");
  return *machine;
}

void fill_in(directive::Split& split, const std::optional<Machine>& on) {
  if (!split.axis) return;
  const Machine& machine = required(on, split.in_pieces ? "divide" : "split");
  split.size = machine.dimension(split.axis->level, split.axis->dimension).size();
  split.axis.reset();
}

void fill_in(directive::Distribute& d, const std::optional<Machine>& on) {
  if (d.outer.empty() || !d.pieces.empty() || !d.onto.empty()) return;
  const Machine& machine = required(on, "distribute");
  if (d.machine_level >= machine.levels())
    refuse("distribute", "the machine {} has no level M[{}]", machine.to_string(), d.machine_level);
  const Grid& grid = machine.level(d.machine_level);
  if (grid.dimensions() != static_cast<int>(d.variables.size()))
    refuse("distribute", "{} variables are distributed, but the machine's {} has {} dimensions", d.variables.size(),
           grid.to_string(), grid.dimensions());
  d.pieces = grid.sizes();
}

template <typename Other>
void fill_in(Other&, const std::optional<Machine>&) {}

}  // namespace

Schedule on_machine(const Schedule& schedule, const std::optional<Machine>& machine) {
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
