#include "unit/dynamic/update/level_checker.h"

#include <fmt/format.h>

#include "lacuna/dynamic/code/load.h"
#include "lacuna/loop/layout.h"
#include "lacuna/loop/passes.h"
#include "lacuna/lower/context/reached.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna {
namespace {

using loop::int64_type;

/// A kernel that calls the function of one root after the other, and stores the first that it finds fault with.
loop::Module module_of(const dynamic::DynamicLevel& level, loop::NameSupply& names) {
  const dynamic::Structure& structure = level.structure();
  const loop::Var roots(names.unique("roots"), int64_type), r(names.unique("r"), int64_type);
  const loop::Var faulty(names.unique("faulty"), loop::array_type(Type::Int64));
  const loop::Var right(names.unique("right"), loop::scalar_type(Type::Bool));
  const loop::Stmt turn =
      loop::block({loop::declare(right, level.call("check", {loop::as_ref(r, level.root_type().record)})),
                   loop::if_then(!loop::Expr(right), loop::block({loop::store(faulty, 0, r), loop::break_loop()})),
                   loop::increment(r)});
  std::vector<loop::Stmt> body;
  for (const loop::Var& state : structure.state) {
    body.push_back(loop::declare_array(state));
    body.push_back(loop::allocate(state, loop::Expr(1), true));
  }
  body.push_back(loop::declare(r, 0));
  body.push_back(loop::while_loop(loop::Expr(r) < loop::Expr(roots), turn));
  for (const loop::Var& state : structure.state) body.push_back(loop::release(state));
  loop::Module module;
  module.name = "kernel";
  module.body = loop::block(std::move(body));
  module.functions = called_functions(level.functions(names), module.body);
  module.records = level.records();
  for (std::size_t a = 0; a < structure.layout.arrays; ++a)
    module.parameters.push_back({structure.array(a), "", false, true});
  module.parameters.push_back({roots, "", false, false});
  module.parameters.push_back({faulty, "", false, true});
  return module;
}

}  // namespace

struct LevelChecker::Check {
  int number;
  std::string name;
  loop::NameSupply names;
  std::unique_ptr<dynamic::DynamicLevel> level;
  std::unique_ptr<loop::Interpreter> interpreter;
};

LevelChecker::LevelChecker(const Storage& tensor) {
  for (int k = 0; k < tensor.order(); ++k) {
    const LevelFormat& format = tensor.format.level(k);
    if (!format.is_dynamic()) continue;
    auto check = std::make_unique<Check>();
    const schema::ElementTypes types = nodes::layout_of(tensor, k).types;
    check->number = k;
    check->name = format.name();
    check->level = std::make_unique<dynamic::DynamicLevel>(
        format.definition->nodes, format.definition->program,
        dynamic::LevelTypes{"t", types.coordinate, loop::scalar_type(types.value)}, check->names);
    if (!check->level->has("check")) continue;
    const loop::Module module = module_of(*check->level, check->names);
    loop::verify(module);
    check->interpreter = std::make_unique<loop::Interpreter>(module);
    checks_.push_back(std::move(check));
  }
}

LevelChecker::~LevelChecker() = default;

std::string LevelChecker::fault_of(const Storage& tensor) const {
  for (const auto& check : checks_) {
    std::int64_t roots = 1;
    for (int k = 0; k < check->number; ++k) {
      const LevelStorage& level = tensor.levels[static_cast<std::size_t>(k)];
      roots = tensor.format.level(k).is_dynamic() ? level.positions : roots * level.extent;
    }
    const dynamic::Structure& structure = check->level->structure();
    const std::vector<Array>& arrays = tensor.levels[static_cast<std::size_t>(check->number)].nodes;
    std::vector<loop::Binding> bindings;
    for (std::size_t a = 0; a < arrays.size(); ++a)
      bindings.push_back(
          {{}, const_cast<void*>(arrays[a].data()), arrays[a].bytes() / loop::element_size(structure.array(a).type())});
    std::int64_t faulty = -1;
    bindings.push_back({Scalar(roots), nullptr, 0});
    bindings.push_back({{}, &faulty, 1});
    check->interpreter->run(bindings);
    if (faulty >= 0)
      return fmt::format("check of level {} ({}) finds fault with root {}", check->number, check->name, faulty);
  }
  return "";
}

}  // namespace lacuna
