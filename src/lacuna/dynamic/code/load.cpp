#include "lacuna/dynamic/code/load.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <fmt/ranges.h>

#include "lacuna/dynamic/schema/head.h"
#include "lacuna/dynamic/schema/source.h"
#include "lacuna/dynamic/schema/words.h"
#include "lacuna/support/check.h"

namespace lacuna::schema {
namespace {

namespace fs = std::filesystem;

/// Far more than anybody writes by hand; keeps a wrong file from filling the memory.
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 20;
constexpr const char* ending = ".level";

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool belongs_to_name(char c) {
  return is_small_letter(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The names of the levels that a folder has files of; none where it cannot be read.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ending) names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_text(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) user_error("cannot read {}: there is no such file", file.string());
  if (error) user_error("cannot read {}: {}", file.string(), error.message());
  if (fs::is_directory(status)) user_error("cannot read {}: it is a folder", file.string());
  if (!fs::is_regular_file(status)) user_error("cannot read {}: it is not a plain file", file.string());
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    user_error("cannot read {}: {}", file.string(), std::generic_category().message(errno == 0 ? EACCES : errno));
  }
  // Not asked of the file system, which says 0 of files that are made as they are read.
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) user_error("cannot read {}: reading failed", file.string());
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > largest_file) user_error("{}: larger than {} bytes; no level is", file.string(), largest_file);
  return text;
}

/// 64 bits of a text (FNV-1a).
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

void check_level_name(std::string_view name) {
  const bool letters = !name.empty() && std::all_of(name.begin(), name.end(), belongs_to_name);
  if (!letters || !is_small_letter(name.front()) || name.size() > longest_name) {
    user_error(
        "'{}' cannot be the name of a level: it is at most {} letters, digits and '_', beginning with a small letter",
        shown(name), longest_name);
  }
}

fs::path find_level_file(std::string_view name, std::span<const fs::path> folders) {
  check_level_name(name);
  for (const fs::path& folder : folders) {
    const fs::path file = folder / (std::string(name) + ending);
    std::error_code error;
    // A file that is there but cannot be read is found, so that reading it says why.
    if (fs::exists(fs::symlink_status(file, error))) return file;
  }
  std::vector<std::string> names;
  std::vector<std::string> searched;
  for (const fs::path& folder : folders) {
    const auto in_folder = names_in(folder);
    names.insert(names.end(), in_folder.begin(), in_folder.end());
    searched.push_back(folder.string());
  }
  const std::string advice = did_you_mean(name, {names.begin(), names.end()});
  const std::string where = searched.empty() ? "no folder was searched: set LACUNA_LEVELS to one with level files"
                                             : fmt::format("searched: {}", fmt::join(searched, ", "));
  user_error("there is no level {}{} ({})", name, advice, where);
}

std::vector<std::string> names_of_levels(std::span<const fs::path> folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    for (std::string& name : names_in(folder)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

LevelFile load_level(const fs::path& file) {
  if (file.extension() != ending) user_error("{}: the name of a level file ends with {}", file.string(), ending);
  LevelFile level;
  level.name = file.stem().string();
  level.path = file;
  try {
    check_level_name(level.name);
  } catch (const Error& error) {
    user_error("{}: {}", file.string(), error.what());
  }
  level.text = read_text(file);
  level.hash = hash_of(level.text);
  const std::string source = file.string();
  level.definition = parse_level(level.text, source);
  level.program = read_program(level.definition, {source, level.text});
  level.nodes = stored_nodes(level.definition.nodes);
  return level;
}

std::vector<LevelFile> load_levels(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator readable(folder, error);
  if (error) user_error("cannot read the folder {} of levels: {}", folder.string(), error.message());
  std::vector<LevelFile> levels;
  for (const std::string& name : names_in(folder)) levels.push_back(load_level(folder / (name + ending)));
  return levels;
}

}  // namespace lacuna::schema
