#include "lacuna/io/write.h"

#include <optional>

#include "lacuna/io/atomic_write.h"
#include "lacuna/io/file_name.h"
#include "lacuna/io/gzip.h"
#include "lacuna/io/text.h"

namespace lacuna {
namespace {

void write_text(const std::string& path, const NameEnding& ending, const Storage& tensor, TextWriter& out) {
  switch (*ending.format) {
    case FileFormat::MatrixMarket: return write_matrix_market(path, tensor, ending.ending == ".ttx", out);
    case FileFormat::Frostt: return write_frostt(path, tensor, out);
    case FileFormat::RutherfordBoeing: return write_rutherford_boeing(path, tensor, out);
  }
}

}  // namespace

void write_file(const std::string& path, const Storage& tensor) {
  const NameEnding ending = name_ending(path);
  if (!ending.format) {
    user_error("cannot write {}: the ending {} is unknown; known are {}", path,
               ending.ending.empty() ? "(none)" : lacuna::quoted(ending.ending), known_endings);
  }
  AtomicFile file(path);
  const auto to_file = [&](std::string_view bytes) { file.append(bytes); };
  if (ending.gzip) {
    GzipCompressor compressor(to_file);
    TextWriter out([&](std::string_view bytes) { compressor.append(bytes); });
    write_text(path, ending, tensor, out);
    out.flush();
    compressor.finish();
  } else {
    TextWriter out(to_file);
    write_text(path, ending, tensor, out);
    out.flush();
  }
  file.commit();
}

}  // namespace lacuna
