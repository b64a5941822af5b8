#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace lacuna {

class FileDescriptor;

/// The bytes of a file, for reading: mapped where it is a regular file, else (a pipe) read into memory. The file must
/// not be shortened while this exists.
class MappedFile {
 public:
  /// Throws Error for a missing file, a folder, or one that may not be read; RuntimeFailure when reading fails.
  explicit MappedFile(const std::string& path);
  /// Of a file that is open, and may be closed then; `name` appears in messages.
  MappedFile(const std::string& name, const FileDescriptor& file);
  std::string_view bytes() const { return bytes_; }
  /// Whether it is a pipe, a terminal or another device, whose name says nothing of its contents.
  bool is_pipe() const { return is_pipe_; }
  /// Some of them will not be read soon: gives memory back that holds them. They can be read again all the same.
  void release(std::size_t begin, std::size_t end) const;

 private:
  std::shared_ptr<const void> owner_;
  std::string_view bytes_;
  bool mapped_ = false, is_pipe_ = false;
};

}  // namespace lacuna
