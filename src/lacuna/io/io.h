#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

enum class FileFormat : std::uint8_t { MatrixMarket, Frostt, RutherfordBoeing };

/// What a file held: its entries and how it would naturally be stored (semantics of `lacuna run` without -f).
struct FileContents {
  CoordinateList entries;  // 0-based; symmetric halves expanded; values typed as the file says
  Format natural;          // coordinate .mtx csr (coo for order ≠ 2), array dense, .tns csf, .rb csc
  FileFormat file_format = FileFormat::MatrixMarket;
  bool array = false;  // array (dense) file: entries hold every coordinate, row-major
  std::string symmetry = "general";
};

struct ReadOptions {
  std::optional<std::vector<std::int64_t>> dimensions;  // .tns only: otherwise the largest coordinates seen
  std::optional<Type> type;                             // convert while reading; otherwise the file's own type
  int threads = 1;
  std::function<void(double fraction)> progress;  // may be empty; called from the calling thread
};

/// Reads .mtx, .ttx, .tns, .rb, each also with .gz; the format is told by the name, then by the contents. Throws Error
/// with file, line and reason for malformed content, RuntimeFailure when the file cannot be read.
FileContents read_file(const std::string& path, const ReadOptions& options = {});
/// The same from memory (`name` appears in messages). Never reads out of bounds; for tests and fuzzers.
FileContents read_text(FileFormat format, const std::string& name, std::string_view text,
                       const ReadOptions& options = {});

/// Writes by the name's ending (.mtx, .ttx, .tns, .rb, and .gz after any). Values are written so that they read back
/// exactly. Throws Error for an ending or a tensor that the format cannot hold (naming what can), RuntimeFailure when
/// the disk is full; a partial file is never left in place of a good one (written beside, then renamed).
void write_file(const std::string& path, const Storage& tensor);

}  // namespace lacuna
