#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lacuna/io/io.h"

namespace lacuna {

/// What the ending of a file's name says about its contents.
struct NameEnding {
  std::optional<FileFormat> format;  // none: unknown ending
  std::string ending;                // ".mtx", ".tns" or what else there is, in lower case, without .gz
  bool gzip = false;
};

NameEnding name_ending(std::string_view path);

/// What the first bytes of a file say about the rest; none where they say nothing.
std::optional<FileFormat> format_of_contents(std::string_view bytes);

/// The known endings, for messages.
inline constexpr std::string_view known_endings =
    ".mtx, .ttx, .tns, .rb (and .hb, .rua, .rsa, …), .npy and .npz, each also followed by .gz";

}  // namespace lacuna
