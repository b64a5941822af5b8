#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "lacuna/dynamic/schema/memory_layout.h"
#include "lacuna/format/format.h"

namespace lacuna {

/// Throws Error where a format, an array level or a run of level letters (format.h) has this name: in a format, it
/// would be read as those, and not as the name of a level file.
void check_name_is_free(std::string_view name);

/// The level that a file defines: ordered as its schema is, and unique, since its functions store a set. Throws Error
/// unless its name is free.
LevelFormat dynamic_level(std::shared_ptr<const schema::LevelFile> definition);

/// As parse_format of format.h, with level files from these folders alone, the first that has one.
Format parse_format(std::string_view text, int order, std::span<const std::filesystem::path> folders);

namespace schema {

/// The types of a dynamic level of a format, whose coordinates have one type and the tensor's values another.
ElementTypes element_types(const Format& format, int level, Type coordinate, Type value);

}  // namespace schema

}  // namespace lacuna
