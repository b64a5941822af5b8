#include "lacuna/dynamic/kernels/entry_kernel.h"

#include "lacuna/lower/context/reached.h"

namespace lacuna {

loop::NameSupply reserved_names() {
  loop::NameSupply names;
  for (const char* name : {"kernel", "tensor", "batch"}) names.reserve(name);
  return names;
}

std::vector<loop::Stmt> make_states(const UpdateLevels& levels) {
  std::vector<loop::Stmt> out;
  for (const loop::Var& state : levels.states()) {
    out.push_back(loop::declare_array(state));
    out.push_back(loop::allocate(state, loop::Expr(1), true));
  }
  return out;
}

std::vector<loop::Stmt> release_states(const UpdateLevels& levels) {
  std::vector<loop::Stmt> out;
  for (const loop::Var& state : levels.states()) out.push_back(loop::release(state));
  return out;
}

Lowered entry_kernel(std::vector<loop::Stmt> body, std::string description, const UpdateLevels& levels,
                     UpdateArguments& arguments, const loop::NameSupply& names) {
  Lowered out;
  out.module.name = "kernel";
  out.module.description = std::move(description);
  out.module.arguments = {"tensor", "batch"};
  out.module.parameters = arguments.take_parameters();
  out.module.body = loop::block(std::move(body));
  out.module.functions = called_functions(levels.functions(names), out.module.body);
  out.module.records = used_records(levels.records(), out.module);
  out.slots = arguments.take_slots();
  return out;
}

}  // namespace lacuna
