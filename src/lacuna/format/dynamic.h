#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "lacuna/format/format.h"

namespace lacuna {

/// The level that a file defines: ordered as its schema is, and unique, since its functions store a set.
LevelFormat dynamic_level(std::shared_ptr<const schema::LevelFile> definition);

/// As parse_format of format.h, with level files from these folders alone, the first that has one.
Format parse_format(std::string_view text, int order, std::span<const std::filesystem::path> folders);

}  // namespace lacuna
