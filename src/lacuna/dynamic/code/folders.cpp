#include <dlfcn.h>

#include <algorithm>
#include <system_error>

#include "lacuna/dynamic/code/load.h"

namespace lacuna::schema {
namespace {

namespace fs = std::filesystem;

// CMake says where the source folder and the installed files are; see CMakeLists.txt.
constexpr const char* folder_of_source = LACUNA_SOURCE_LEVELS;
constexpr const char* installed_folder = LACUNA_INSTALLED_LEVELS;
constexpr const char* folder_beside_bin = LACUNA_RELATIVE_LEVELS;

/// An installation that was moved finds its levels from where its program lies.
fs::path beside_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : program.parent_path().parent_path() / folder_beside_bin;
}

/// Nor does a library need to know where it was installed: its levels are beside it, as in a Python package, or in
/// the data folder of the same installation.
fs::path beside_library() {
  Dl_info info;
  static const char inside = 0;
  if (dladdr(&inside, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path library = fs::canonical(info.dli_fname, error);
  if (error) return {};
  if (fs::is_directory(library.parent_path() / "levels", error)) return library.parent_path() / "levels";
  fs::path prefix = library.parent_path();
  for (int above = 0; above < 3; ++above) {
    prefix = prefix.parent_path();
    if (fs::is_directory(prefix / folder_beside_bin, error)) return prefix / folder_beside_bin;
  }
  return {};
}

/// A folder may have several names.
void add_once(std::vector<fs::path>& folders, const fs::path& folder) {
  std::error_code error;
  const auto is_same = [&](const fs::path& other) { return other == folder || fs::equivalent(other, folder, error); };
  if (std::none_of(folders.begin(), folders.end(), is_same)) folders.push_back(folder);
}

}  // namespace

std::vector<fs::path> level_folders(const Environment& environment) {
  std::vector<fs::path> folders;
  for (const fs::path& folder : environment.level_folders) add_once(folders, folder);
  // The first of these that is there holds all built-in levels: files of two installations do not mix.
  for (const fs::path& folder :
       {beside_program(), beside_library(), fs::path(folder_of_source), fs::path(installed_folder)}) {
    std::error_code error;
    if (folder.empty() || !fs::is_directory(folder, error)) continue;
    add_once(folders, folder);
    break;
  }
  return folders;
}

}  // namespace lacuna::schema
