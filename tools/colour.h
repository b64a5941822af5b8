#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace lacuna::tool {

enum class Colour : int { Red = 31, Yellow = 33, Blue = 34 };

/// The text in a colour where the stream is a terminal that shows colours; else the text as it is. NO_COLOR
/// (no-color.org) and TERM=dumb turn colours off.
std::string coloured(std::string_view text, Colour colour, std::FILE* stream);

}  // namespace lacuna::tool
