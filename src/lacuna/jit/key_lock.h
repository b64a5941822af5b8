#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace lacuna {

/// Lets one at a time make what a key names, of all threads and processes that share a folder. The lock is the
/// system's, which frees it when its process ends, however it ends.
class KeyLock {
 public:
  /// Waits until the lock is free, but no longer than `most`. Goes on without it then, and where the file system has no
  /// locks: the lock saves work, and nothing is wrong without it.
  KeyLock(const std::filesystem::path& folder, const std::string& key,
          std::chrono::milliseconds most = std::chrono::minutes(2));
  ~KeyLock() { release(); }
  KeyLock(const KeyLock&) = delete;
  KeyLock& operator=(const KeyLock&) = delete;

  bool is_held() const { return is_held_; }
  /// Whether another had it first.
  bool has_waited() const { return has_waited_; }
  void release();

  /// The file in the folder that the locks are of. It is empty, and stays.
  static constexpr const char* file_name = "lock";

 private:
  bool try_to_lock(const std::string& key);

  int file_ = -1;
  bool is_held_ = false, has_waited_ = false;
};

}  // namespace lacuna
