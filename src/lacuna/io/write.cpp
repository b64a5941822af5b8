#include "lacuna/io/write.h"

#include <optional>

#include <sys/stat.h>

#include "lacuna/io/atomic_write.h"
#include "lacuna/io/file_name.h"
#include "lacuna/io/gzip.h"
#include "lacuna/io/read.h"
#include "lacuna/io/sorted_entries.h"
#include "lacuna/io/text.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// Whether a name is that of a pipe or a device, which says nothing of what it is to hold.
bool is_nameless(const std::string& path) {
  struct stat status = {};
  return path == standard_output ||
         (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

/// What a file is to be.
struct Target {
  std::string name;
  FileFormat format;
  bool any_order;
  bool gzip;
};

Target target_of(const std::string& path, int order) {
  const NameEnding ending = name_ending(path);
  if (!ending.format && is_nameless(path))
    return {path, order == 0 ? FileFormat::Frostt : FileFormat::MatrixMarket, order > 2, ending.gzip};
  if (!ending.format) {
    user_error("cannot write {}: the ending {} is unknown; known are {}", path,
               ending.ending.empty() ? "(none)" : lacuna::quoted(ending.ending), known_endings);
  }
  return {path, *ending.format, ending.ending == ".ttx", ending.gzip};
}

void check(const Target& target, int order, Type type, bool is_dense, const Scalar& fill) {
  switch (target.format) {
    case FileFormat::MatrixMarket: check_matrix_market(target.name, order, target.any_order); break;
    case FileFormat::Frostt: check_frostt(target.name, order, type); break;
    case FileFormat::RutherfordBoeing: check_rutherford_boeing(target.name, order); break;
    case FileFormat::Npy: check_npy(target.name, is_dense); break;
    case FileFormat::Npz: check_npz(target.name, order); break;
  }
  if (is_dense || fill.is_zero()) return;
  user_error("cannot write {}: absent entries are {}, but in a file they mean zero; convert the tensor to dense first",
             target.name, fill.to_string());
}

/// Makes a file of the text that `write` gives.
template <typename Write>
void make_file(const Target& target, const Write& write) {
  AtomicFile file(target.name);
  const auto to_file = [&](std::string_view bytes) { file.append(bytes); };
  if (target.gzip) {
    GzipCompressor compressor(to_file);
    TextWriter out([&](std::string_view bytes) { compressor.append(bytes); });
    write(out);
    out.flush();
    compressor.finish();
  } else {
    TextWriter out(to_file);
    write(out);
    out.flush();
  }
  file.commit();
}

void write_entries(const Target& target, const CoordinateList& entries, std::int64_t first, TextWriter& out) {
  if (target.format == FileFormat::MatrixMarket) write_matrix_market(entries, first, target.any_order, out);
  else write_frostt(target.name, entries, first, out);
}

/// What precedes the entries.
void begin(const Target& target, const PiecedTensor& tensor, TextWriter& out) {
  if (target.format == FileFormat::MatrixMarket) begin_matrix_market(tensor, target.any_order, out);
  else begin_frostt(tensor, out);
}

void write_whole(const Target& target, const Storage& tensor, TextWriter& out) {
  const bool is_dense = tensor.format.is_dense();
  check(target, tensor.order(), tensor.type, is_dense, tensor.fill);
  if (target.format == FileFormat::RutherfordBoeing) return write_rutherford_boeing(target.name, tensor, out);
  if (target.format == FileFormat::Npy) return write_npy(tensor, out);
  if (target.format == FileFormat::Npz) return write_npz(tensor, out);
  const bool is_array = target.format == FileFormat::MatrixMarket && is_dense;
  const CoordinateList entries = is_array ? CoordinateList() : sorted_entries(tensor);
  begin(target, {tensor.dimensions, tensor.type, is_dense, entries.size()}, out);
  if (is_array) write_matrix_market_array(tensor, out);
  else write_entries(target, entries, 0, out);
}

}  // namespace

void write_text(const std::string& name, FileFormat format, bool any_order, const Storage& tensor, TextWriter& out) {
  write_whole({name, format, any_order, false}, tensor, out);
}

void write_file(const std::string& path, const Storage& tensor) {
  const Target target = target_of(path, tensor.order());
  make_file(target, [&](TextWriter& out) { write_whole(target, tensor, out); });
}

void check_writable(const std::string& path, int order, Type type, bool is_dense, const Scalar& fill) {
  check(target_of(path, order), order, type, is_dense, fill);
}

std::optional<int> mode_of_pieces(const std::string& path, int order, bool is_dense) {
  const FileFormat format = target_of(path, order).format;
  if (order == 0 || !has_lines_of_entries(format)) return std::nullopt;
  return format == FileFormat::MatrixMarket && is_dense ? order - 1 : 0;
}

void write_pieces(const std::string& path, const PiecedTensor& tensor,
                  const std::function<std::optional<Storage>()>& next) {
  const Target target = target_of(path, static_cast<int>(tensor.dimensions.size()));
  const bool is_matrix_market = target.format == FileFormat::MatrixMarket;
  make_file(target, [&](TextWriter& out) {
    begin(target, tensor, out);
    std::int64_t first = 0, written = 0;
    while (const std::optional<Storage> piece = next()) {
      if (is_matrix_market && tensor.is_dense) {
        write_matrix_market_array(*piece, out);
        written += piece->stored();
        continue;
      }
      const CoordinateList entries = sorted_entries(*piece);
      write_entries(target, entries, first, out);
      first += piece->dimensions[0];
      written += entries.size();
    }
    internal_check(written == tensor.stored, "{} entries of {} are written", written, tensor.stored);
  });
}

}  // namespace lacuna
