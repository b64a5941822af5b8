#pragma once

#include <string>
#include <string_view>

#include "lacuna/io/file_descriptor.h"

namespace lacuna {

/// A file being written. It appears under its name, in place of one that there was, only by commit(); without, no trace
/// is left. What is not a regular file (a device, a pipe) is written directly. Throws Error where the place may not be
/// written to, RuntimeFailure when the disk is full or fails.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void append(std::string_view bytes);
  void commit();

 private:
  void create_beside();

  std::string path_;       // as the user named it
  std::string target_;     // where links lead
  std::string temporary_;  // empty when written directly or committed
  FileDescriptor file_;
};

}  // namespace lacuna
