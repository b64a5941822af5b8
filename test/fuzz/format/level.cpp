#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lacuna/dynamic/code/program.h"
#include "lacuna/dynamic/schema/layout.h"
#include "lacuna/dynamic/schema/level.h"
#include "lacuna/dynamic/schema/properties.h"

// Any bytes are either refused with an Error that says where, or a level that prints, and what is printed reads back
// equal and has properties and a layout. Its functions are refused likewise, or make sense.
namespace lacuna::schema {
namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void require_place(const Error& error) {
  require(std::string_view(error.what()).starts_with("f.level:"));
  require(!describe_with_caret(error).empty());
}

void run(std::string_view text) {
  LevelDefinition level;
  try {
    level = parse_level(text, "f.level");
  } catch (const Error& error) {
    require_place(error);
    return;
  }
  try {
    const LevelProgram program = read_program(level, {"f.level", text});
    require(program.functions.size() == level.functions.size());
  } catch (const Error& error) {
    require_place(error);
  }
  require(parse_level(to_string(level), "again") == level);
  const NodeSchema& schema = level.nodes;
  require(layout_of(schema).size() == schema.supertypes.size() + schema.nodes.size());
  is_ordered(schema);
  require(!root_of(schema).fields.empty());
  recursion_of(schema);
  for (const NodeType& node : schema.nodes) require(elements_of(node).least >= 0);
}

}  // namespace
}  // namespace lacuna::schema

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lacuna::schema::run({reinterpret_cast<const char*>(data), size});
  return 0;
}
