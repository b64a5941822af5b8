#pragma once

#include <string>
#include <string_view>

#include "lacuna/io/file_descriptor.h"

namespace lacuna {

/// A file being written. It appears under its name, in place of one that there was, only by commit(); without, no trace
/// is left, not even where the process is killed: a later one removes what it left
/// (support/leftovers.h). What is not a regular file (a device, a pipe) is written directly, and "-" to standard
/// output. Throws Error where the place may not be written to, RuntimeFailure when the disk is full or fails.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void append(std::string_view bytes);
  void commit();

  /// What the names of temporary files begin with.
  static constexpr std::string_view prefix = ".lacuna-";

 private:
  void create_beside();
  template <typename Make>
  bool with_free_name(const std::string& folder, const Make& make);
  void name_file();

  std::string path_;        // as the user named it
  std::string target_;      // where links lead
  bool is_beside_ = false;  // written beside the target, which it replaces
  std::string temporary_;   // its name there, while it has one
  FileDescriptor file_;
};

}  // namespace lacuna
