#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/tensor/storage.h"

namespace lacuna {

enum class FileFormat : std::uint8_t { MatrixMarket, Frostt, RutherfordBoeing, Npy, Npz };

/// What a file held: its entries and how it would naturally be stored (semantics of `lacuna run` without -f).
struct FileContents {
  CoordinateList entries;  // 0-based; symmetric halves expanded; values typed as the file says
  Format natural;  // coordinate .mtx csr (coo for order ≠ 2), array and .npy dense, .tns csf, .rb csc, .npz as saved
  FileFormat file_format = FileFormat::MatrixMarket;
  bool array = false;  // array (dense) file: entries hold every coordinate, row-major
  std::string symmetry = "general";
};

/// An element type that a reader is asked for.
struct WantedType {
  Type type = Type::Float64;
  std::string option;  // how it was asked for, "-t A:", or empty
  /// What to do about a value that the type cannot hold: "give -t A:int64".
  std::string instead(Type type_that_can) const;
};

struct ReadOptions {
  std::optional<std::vector<std::int64_t>> dimensions;  // .tns only: otherwise as the file says, or its entries show
  std::optional<Type> type;  // otherwise the file's own; values that it cannot hold are refused
  int threads = 1;
  std::function<void(double fraction)> progress;                   // may be empty; called from the calling thread
  std::optional<std::vector<std::int64_t>> least_dimensions = {};  // .tns only: they are no smaller
  std::string type_option = {};                                    // how `type` was asked for, "-t A:", for messages

  std::optional<WantedType> wanted_type() const;
};

/// Reads .mtx, .ttx, .tns, .rb, .npy, .npz, each also with .gz; the format is told by the name, then by the contents;
/// what comes from a pipe without either is taken for .tns. Throws Error with file, line and reason for malformed
/// content and for a value that options.type cannot hold, RuntimeFailure when the file cannot be read.
FileContents read_file(const std::string& path, const ReadOptions& options = {});
/// The same from memory (`name` appears in messages). Never reads out of bounds; for tests and fuzzers.
FileContents read_text(FileFormat format, const std::string& name, std::string_view text,
                       const ReadOptions& options = {});

/// The name of a file that stands for standard output.
inline constexpr std::string_view standard_output = "-";

/// Writes by the name's ending (.mtx, .ttx, .tns, .rb, .npy, .npz, and .gz after any). "-" is standard output; what
/// goes there, or to a pipe without an ending, is Matrix Market text. Values are written so that they read back
/// exactly. Throws Error for an ending or a tensor that the format cannot hold (naming what can), RuntimeFailure when
/// the disk is full; a partial file is never left in place of a good one (written beside, then renamed).
void write_file(const std::string& path, const Storage& tensor);

}  // namespace lacuna
