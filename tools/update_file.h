#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/lower/update/update.h"
#include "lacuna/support/scalar.h"

namespace lacuna::tool {

/// One line of an update file.
struct UpdateLine {
  UpdateOperation operation = UpdateOperation::Add;
  std::vector<std::int64_t> coordinate;  // by mode, 0-based
  Scalar value;
};

/// Reads updates of a tensor from a text file, a line at a time: `+ i j v` adds to an entry, `= i j v` sets it, `- i j`
/// erases it. Coordinates are 1-based, as in other files. Lines that are empty or begin with # or % say nothing.
class UpdateFile {
 public:
  /// Throws RuntimeFailure when the file cannot be opened.
  UpdateFile(const std::string& path, std::vector<std::int64_t> dimensions, Type type);

  /// The next update, or nothing at the end. Throws Error "FILE:LINE: …" for a line that is none.
  std::optional<UpdateLine> next();
  /// How much of the file was read, in [0, 1].
  double progress() const { return size_ == 0 ? 1 : static_cast<double>(read_) / static_cast<double>(size_); }

 private:
  UpdateLine parse(const std::string& line) const;
  template <typename... Args>
  [[noreturn]] void refuse(const std::string& line, fmt::format_string<Args...> what, Args&&... args) const;

  std::string path_;
  std::vector<std::int64_t> dimensions_;
  Type type_;
  std::ifstream file_;
  std::uintmax_t size_ = 0, read_ = 0;
  std::int64_t line_ = 0;
};

}  // namespace lacuna::tool
