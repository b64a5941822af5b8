#include "tools/missing_file.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "lacuna/support/check.h"
#include "lacuna/support/nearest.h"

namespace lacuna::tool {
namespace fs = std::filesystem;
namespace {

/// Of large folders not all files are looked at.
constexpr std::size_t most_names = 10'000;

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end && names.size() < most_names;
       at.increment(failed))
    if (!at->is_directory(failed)) names.push_back(at->path().filename().string());
  return names;
}

}  // namespace

std::string missing_file_message(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const std::vector<std::string> names = files_in(folder.empty() ? fs::path(".") : folder);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::optional<std::string_view> near = nearest_word(fs::path(path).filename().string(), views);
  return fmt::format("there is no file {}{}", path,
                     near ? fmt::format("; did you mean {}?", (folder / *near).string()) : std::string());
}

void require_file(const std::string& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (status.type() == fs::file_type::not_found) throw Error(missing_file_message(path));
  if (fs::is_directory(status)) user_error("{} is a folder, where a file is expected", path);
}

}  // namespace lacuna::tool
