#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/dynamic/code/program.h"
#include "lacuna/support/environment.h"

// Level files on disk: NAME.level defines the level NAME, and no name of a level is known to the library.
namespace lacuna::schema {

struct LevelFile {
  std::string name;
  std::filesystem::path path;
  std::string text;
  std::uint64_t hash = 0;  // of the text: part of the key of what is made for it
  LevelDefinition definition;
  LevelProgram program;
  NodeSchema nodes;  // as they are stored (head.h)
};

/// The folders that levels are looked for in, in that order: those of LACUNA_LEVELS, then the built-in ones.
std::vector<std::filesystem::path> level_folders(const Environment& environment);

/// Throws Error unless a file may have that name: letters, digits and '_', beginning with a small letter. Which of
/// these mean something else in a format is checked there (format/dynamic.h).
void check_level_name(std::string_view name);

/// The first file NAME.level in the folders. Throws Error, with the nearest name and the folders that were searched,
/// when there is none.
std::filesystem::path find_level_file(std::string_view name, std::span<const std::filesystem::path> folders);

/// The names that the folders have files of, in their order, without those that stand further ahead already. A folder
/// that cannot be read has none.
std::vector<std::string> names_of_levels(std::span<const std::filesystem::path> folders);

/// Reads one file with its functions. Throws Error when it cannot be read or makes no sense: "PATH:LINE:COLUMN: …".
LevelFile load_level(const std::filesystem::path& file);

/// Reads all files *.level of a folder, in the order of their names. Throws as load_level does, and when there is no
/// such folder.
std::vector<LevelFile> load_levels(const std::filesystem::path& folder);

}  // namespace lacuna::schema
