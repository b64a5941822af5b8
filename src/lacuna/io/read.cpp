#include "lacuna/io/read.h"

#include "lacuna/io/convert_values.h"
#include "lacuna/io/file_name.h"
#include "lacuna/io/frostt_read.h"
#include "lacuna/io/gzip.h"
#include "lacuna/io/mapped_file.h"
#include "lacuna/io/matrix_market_read.h"
#include "lacuna/io/npy_read.h"
#include "lacuna/io/npz_read.h"
#include "lacuna/io/rutherford_boeing_read.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

/// The start of a file in which a NUL byte shows that it is not text.
constexpr std::size_t probed_bytes = 4096;

FileContents read_by_format(FileFormat format, const Text& text, const ReadOptions& options,
                            const ReadContext& context) {
  switch (format) {
    case FileFormat::MatrixMarket: return read_matrix_market(text, options.wanted_type(), context);
    case FileFormat::Frostt: return read_frostt(text, options, context);
    case FileFormat::RutherfordBoeing: return read_rutherford_boeing(text, context);
    case FileFormat::Npy: return contents_of(*read_npy(text), format);
    case FileFormat::Npz: return contents_of(*read_npz(text), format);
  }
  throw InternalError("internal error: a FileFormat outside its enumeration");
}

}  // namespace

std::string WantedType::instead(Type type_that_can) const {
  return fmt::format("{}{}", option.empty() ? "read it as " : "give " + option, type_name(type_that_can));
}

std::optional<WantedType> ReadOptions::wanted_type() const {
  if (!type) return std::nullopt;
  return WantedType{*type, type_option};
}

void check_is_text(const Text& text) {
  const std::size_t nul = text.bytes.substr(0, probed_bytes).find('\0');
  if (nul == std::string_view::npos) return;
  fail_in(text, fmt::format("byte {} is NUL: this is a binary file, not text", nul));
}

bool has_lines_of_entries(FileFormat format) {
  return format == FileFormat::MatrixMarket || format == FileFormat::Frostt;
}

FileFormat tell_format(const std::string& path, std::string_view bytes, bool is_pipe) {
  const NameEnding ending = name_ending(path);
  if (ending.format) return *ending.format;
  if (const std::optional<FileFormat> format = format_of_contents(bytes)) return *format;
  if (is_pipe) return FileFormat::Frostt;
  user_error("{}: the ending {} is unknown; known are {}", path,
             ending.ending.empty() ? "(none)" : lacuna::quoted(ending.ending), known_endings);
}

FileContents read_text_in_blocks(FileFormat format, const Text& text, const ReadOptions& options,
                                 std::size_t block_bytes) {
  ReadContext context;
  context.threads = options.threads;
  context.block_bytes = block_bytes;
  context.progress = options.progress;
  const bool may_be_empty = format == FileFormat::Frostt && (options.dimensions || options.least_dimensions);
  if (text.bytes.empty() && !may_be_empty) fail_empty(text, format);
  const bool is_binary = format == FileFormat::Npy || format == FileFormat::Npz;
  if (!is_binary) check_is_text(text);
  FileContents contents = read_by_format(format, text, options, context);
  if (const auto wanted = options.wanted_type())
    contents.entries.values = convert_values(contents.entries, *wanted, text.name, context);
  return contents;
}

FileContents read_text(FileFormat format, const std::string& name, std::string_view text, const ReadOptions& options) {
  return read_text_in_blocks(format, {name, text}, options, ReadContext{}.block_bytes);
}

FileContents read_file(const std::string& path, const ReadOptions& options) {
  const MappedFile file(path);
  if (!is_gzip(file.bytes()) && (file.bytes().empty() || !name_ending(path).gzip)) {
    return read_text(tell_format(path, file.bytes(), file.is_pipe()), path, file.bytes(), options);
  }
  // Decompressing is the first half of the progress.
  ReadOptions second_half = options;
  std::function<void(double)> first_half;
  if (options.progress) {
    first_half = [&](double fraction) { options.progress(fraction / 2); };
    second_half.progress = [&](double fraction) { options.progress(0.5 + fraction / 2); };
  }
  const Unzipped unzipped = gunzip(path, file.bytes(), first_half);
  return read_text(tell_format(path, unzipped.bytes(), file.is_pipe()), path, unzipped.bytes(), second_half);
}

void fail_empty(const Text& text, FileFormat format) {
  const bool needs_sizes = format == FileFormat::Frostt;
  fail_in(text,
          needs_sizes ? "the file is empty; to read a tensor without entries, give its sizes" : "the file is empty");
}

}  // namespace lacuna
