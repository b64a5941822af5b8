#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace lacuna {

/// A file or folder of the cache that cannot be used, with the reason; a way without it must be tried.
class UnusableFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes the folder if it is missing, for the owner alone. Throws UnusableFile when it cannot be made, is no folder, or
/// another user owns it or may write to it.
void make_private_folder(const std::filesystem::path& folder);

/// A new folder for this process alone, removed with all that is in it; by a later process where this one is killed
/// (support/leftovers.h).
class TemporaryFolder {
 public:
  /// Makes it inside `base`. Throws UnusableFile when that is not possible.
  explicit TemporaryFolder(const std::filesystem::path& base);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }
  /// What the names of all of them begin with.
  static constexpr std::string_view prefix = "lacuna-";

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // the folder, open
};

/// Writes a file that must not exist yet, readable by the owner alone. Throws UnusableFile.
void write_new_file(const std::filesystem::path& path, std::string_view text);

}  // namespace lacuna
