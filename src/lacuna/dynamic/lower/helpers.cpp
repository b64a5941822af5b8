#include "lacuna/dynamic/lower/helpers.h"

#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::dynamic {

FunctionNames::FunctionNames(const Structure& structure, const schema::LevelProgram& program, loop::NameSupply& names) {
  const auto named = [&](const std::string& name) { return names.unique(structure.types.prefixed(name)); };
  for (const schema::CodeFunction& each : program.functions) own[each.name.text] = named(each.name.text);
  for (const NodeRecord& each : structure.nodes) {
    const std::string& node = each.node->name.text;
    make[node] = named(node + "_new");
    clear[node] = named(node + "_clear");
    remove[node] = named(node + "_delete");
    for (const schema::Field* field : schema::element_fields(*each.node)) {
      if (!schema::array_of(*field) || schema::differences_of(*field)) continue;
      lower_bound[node + "." + field->name.text] = named(node + "_" + field->name.text + "_lower_bound");
    }
  }
  for (const Pool& each : structure.pools) {
    resize[each.node + "." + each.size] = named(each.node + "_" + each.size + "_resize");
  }
  hash = named("hash");
  size_class = named("size_class");
}

loop::Expr call(const std::string& function, const std::vector<loop::Var>& memory, std::vector<loop::Expr> arguments,
                loop::IrType result) {
  std::vector<loop::Expr> all(memory.begin(), memory.end());
  all.insert(all.end(), arguments.begin(), arguments.end());
  return loop::invoke(function, std::move(all), std::move(result));
}

}  // namespace lacuna::dynamic
