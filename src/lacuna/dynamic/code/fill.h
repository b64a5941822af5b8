#pragma once

#include <optional>
#include <string>

#include "lacuna/dynamic/code/program.h"

namespace lacuna::schema {

/// How a level is filled with elements that come in the order of their coordinates.
enum class FillWay : std::uint8_t { Append, Build, Insert };

/// The first of these ways that the functions of a file allow: append_first and append_rest, build, insert. None
/// without any of them.
std::optional<FillWay> fill_way(const LevelProgram& program);

/// The functions that are called: "append_first and append_rest".
std::string functions_of(FillWay way);

}  // namespace lacuna::schema
