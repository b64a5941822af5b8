#include "tools/colour.h"

#include <unistd.h>

#include <fmt/format.h>

#include "lacuna/support/environment.h"

namespace lacuna::tool {

std::string coloured(std::string_view text, Colour colour, std::FILE* stream) {
  if (isatty(fileno(stream)) != 1 || !read_environment().colours) return std::string(text);
  return fmt::format("\033[1;{}m{}\033[0m", static_cast<int>(colour), text);
}

}  // namespace lacuna::tool
