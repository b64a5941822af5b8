#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <zlib.h>

#include <fmt/core.h>

#include "lacuna/dynamic/kernels/update.h"
#include "lacuna/support/scalar.h"

namespace lacuna::tool {

/// One line of an update file.
struct UpdateLine {
  UpdateOperation operation = UpdateOperation::Add;
  std::vector<std::int64_t> coordinate;  // by mode, 0-based
  Scalar value;
};

/// Reads updates of a tensor from a text file, a line at a time: `+ i j v` adds to an entry, `= i j v` sets it, `- i j`
/// erases it. Coordinates are 1-based, as in other files. Lines that are empty or begin with # or % say nothing. The
/// file may be compressed by gzip, and it may be a pipe.
class UpdateFile {
 public:
  /// Throws RuntimeFailure when the file cannot be opened, Error for a folder.
  UpdateFile(const std::string& path, std::vector<std::int64_t> dimensions, Type type);

  /// The next update, or nothing at the end. Throws Error "FILE:LINE: …" for a line that is none.
  std::optional<UpdateLine> next();
  /// How much of the file was read, in [0, 1]; 1 where that is not known.
  double progress() const;

 private:
  /// The next line without its newline; none at the end.
  std::optional<std::string> next_line();
  /// Reads some more; false at the end.
  bool fill();
  UpdateLine parse(const std::string& line) const;
  template <typename... Args>
  [[noreturn]] void refuse(const std::string& line, fmt::format_string<Args...> what, Args&&... args) const;

  std::string path_;
  std::vector<std::int64_t> dimensions_;
  Type type_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;  // also reads what is not compressed
  std::string buffer_;                               // read, and in lines from at_ on
  std::size_t at_ = 0;
  std::uintmax_t size_ = 0;
  std::int64_t line_ = 0;
};

}  // namespace lacuna::tool
