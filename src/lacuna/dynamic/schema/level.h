#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/dynamic/schema/schema.h"

namespace lacuna::schema {

/// A part of a level file that is kept as it was written: what stands between two brackets that match.
struct RawText {
  std::string text;
  Place where;
  bool operator==(const RawText&) const = default;
};

/// `fn find(root : list, c : coord) -> place { … }`
struct Function {
  Name name;
  RawText parameters;          // without the parentheses
  RawText body;                // without the braces
  std::optional<Name> result;  // the type behind the arrow
  bool operator==(const Function&) const = default;
};

/// What a level file says: the nodes, what the functions remember between calls (`state { … }`), and the functions that
/// fill and change the level.
struct LevelDefinition {
  NodeSchema nodes;
  std::optional<RawText> state;
  std::vector<Function> functions;
  bool operator==(const LevelDefinition&) const = default;
};

/// Null when the level has no such function.
const Function* find_function(const LevelDefinition& level, std::string_view name);

/// Reads the text of a level file and checks it (check.h). `source` is the name that messages give the text. Throws
/// Error "SOURCE:LINE:COLUMN: …", underlining the mistake.
LevelDefinition parse_level(std::string_view text, const std::string& source);

/// The level as text that reads back equal; comments outside functions are lost.
std::string to_string(const LevelDefinition& level);

}  // namespace lacuna::schema
