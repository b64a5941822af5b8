#pragma once

#include <filesystem>
#include <string>

namespace lacuna {

/// Compiled kernels in a folder that only its owner may write to. A file's name is the hash of everything that made it
/// (see kernel_key in jit.cpp), so an entry never changes. It is written beside and then renamed, and ends in a seal,
/// the hash of what comes before and of the name: a file that a crash, a full disk or bad hardware has damaged, or that
/// has got another's name, is seen and made anew.
class DiskCache {
 public:
  /// Makes the folder. Throws UnusableFile (folder.h) when it cannot be used safely.
  explicit DiskCache(std::filesystem::path folder);
  const std::filesystem::path& folder() const { return folder_; }

  /// Where the entry of a key is (to be).
  std::filesystem::path path_of(const std::string& key) const;
  /// Whether the entry is there, ours and whole. A damaged one is removed.
  bool has(const std::string& key) const;
  /// Seals a finished library and makes it the entry of the key. Throws UnusableFile.
  void store(const std::string& key, const std::filesystem::path& library) const;
  void remove(const std::string& key) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace lacuna
