#include "lacuna/dynamic/schema/check.h"

#include <map>

#include "lacuna/dynamic/schema/properties.h"

namespace lacuna::schema {

void check_schema(const NodeSchema& schema, const Source& source) {
  check_names(schema, source);
  check_fields(schema, source);
  check_members(schema, source);
  check_sequences(schema, source);
  check_differences(schema, source);
  check_structure(schema, source);
}

void check_functions(const LevelDefinition& level, const Source& source) {
  const NodeSchema& schema = level.nodes;
  std::map<std::string_view, const Function*> known;
  for (const Function& function : level.functions) {
    const std::string_view name = function.name.text;
    const auto [first, is_new] = known.emplace(name, &function);
    if (!is_new) {
      fail_at(source, function.name.where, "the function {} is defined twice, the first time{}; take one of them out",
              name, on_line(source, first->second->name.where));
    }
    if (find_node(schema, name) != nullptr || is_supertype(schema, name) || find_constant(schema, name) != nullptr) {
      fail_at(source, function.name.where, "{} is defined in the schema already; take another name for the function",
              name);
    }
  }
  const std::pair<std::string_view, std::string_view> halves[] = {{"append_first", "append_rest"},
                                                                  {"append_rest", "append_first"}};
  for (const auto& [there, missing] : halves) {
    if (known.count(there) == 0 || known.count(missing) != 0) continue;
    fail_at(source, known.at(there)->name.where, "{} needs {}: the one appends the first element, the other the rest",
            there, missing);
  }
}

}  // namespace lacuna::schema
