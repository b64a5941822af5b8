#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/io/io.h"

namespace lacuna {

/// A stretch of a file's bytes.
struct ByteRange {
  std::size_t begin = 0, end = 0;
};

/// A file of coordinates of which several readers read some lines each: a coordinate .mtx or .ttx file, or a .tns file.
class CoordinateFile {
 public:
  /// Why a file has to be read by one reader ("it is compressed"); none where it can be shared. Throws as read_file
  /// where it cannot be read at all.
  static std::optional<std::string> reason_against(const std::string& path);

  /// Reads what is before the entries. Throws as read_file.
  explicit CoordinateFile(const std::string& path, const ReadOptions& options = {});
  ~CoordinateFile();
  CoordinateFile(CoordinateFile&&) noexcept;
  CoordinateFile& operator=(CoordinateFile&&) noexcept;

  const std::string& name() const;
  FileFormat file_format() const;
  /// How it would naturally be stored.
  Format natural() const;
  /// Of the values as they are read.
  Type type() const;
  /// None of a .tns file that was not told them.
  std::optional<std::vector<std::int64_t>> dimensions() const;
  std::size_t order() const;
  /// What they turned out to be: from now on coordinates lie in them.
  void set_dimensions(std::vector<std::int64_t> dimensions);

  /// All bytes that may hold entries.
  ByteRange body() const;
  /// The entries of the lines that begin in a range, in their order, from 0, as the file has them: mirrors are not
  /// among them. Throws Error with file, line and reason.
  CoordinateList read(ByteRange range) const;
  /// The largest coordinates in these lines, from 1; where dimensions are not known.
  std::vector<std::int64_t> largest(ByteRange range) const;

  /// Whether each entry off the diagonal stands for its mirror, too; then, the entries with these.
  bool is_symmetric() const;
  CoordinateList with_mirrors(const CoordinateList& entries) const;
  /// Throws Error, with the line, unless there are as many entries in all as are announced.
  void check_count(std::int64_t entries) const;
  /// Throws Error for an entry of a symmetric file, by its number in the file, whose mirror is given, too.
  [[noreturn]] void fail_mirror(std::int64_t entry) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lacuna
