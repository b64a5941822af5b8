#pragma once

#include <string>
#include <string_view>

namespace lacuna {

/// Owns an open file of the system; closes it when it goes away.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return descriptor_; }
  bool open() const { return descriptor_ >= 0; }
  int release();

 private:
  int descriptor_ = -1;
};

/// Throws for a failed system call: Error where the user named something that does not exist, is not allowed or is of
/// the wrong kind, RuntimeFailure for everything else. `action` is "read" or "write".
[[noreturn]] void fail_system(const std::string& path, const char* action, int error_number);

/// Writes all of it. Throws as fail_system; `path` appears in messages.
void write_all(const FileDescriptor& file, const std::string& path, std::string_view bytes);

}  // namespace lacuna
