#pragma once

#include <optional>
#include <string>

#include "lacuna/io/gzip.h"
#include "lacuna/io/mapped_file.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// Some whole lines of a file: those of a text from `begin` to its end, which may stop before the file does.
struct TextChunk {
  Text text;
  std::size_t begin = 0;
};

/// Which of several readers one is: each reads some of the lines.
struct FileShare {
  int reader = 0, readers = 1;
};
/// Where the share of a reader begins of so many things, or ends that of the one before.
std::size_t share_begin(std::size_t count, std::size_t reader, std::size_t readers);

/// The lines of a file from a byte of it on, chunk by chunk, of which one is in memory at a time. Readers of a plain
/// file have a stretch of its bytes each, and the lines that begin there. One that is compressed has to be decompressed
/// from its beginning on: its first reader has all the lines.
class TextChunks {
 public:
  /// `begin` begins a line, and counts bytes of text. Chunks have about as many bytes, and a line at least.
  TextChunks(const MappedFile& file, bool compressed, std::string name, std::size_t begin, FileShare share,
             std::size_t chunk_bytes);

  /// The next one, which is there until the next call; none after the last. Throws Error where compressed data are
  /// damaged.
  std::optional<TextChunk> next();
  /// Decompresses what is left, so that whoever found a mistake in the lines names damage instead, which has made it.
  void check_rest();

 private:
  std::optional<TextChunk> next_mapped();
  std::optional<TextChunk> next_decompressed();
  /// The first byte from `at` on that begins a line.
  std::size_t line_from(std::size_t at) const;
  void drop_used();
  void skip(std::size_t bytes);
  /// Decompresses some more; false at the end.
  bool fill();

  const MappedFile& file_;
  std::string name_;
  std::size_t begin_;
  std::size_t chunk_bytes_;
  // Of a plain file: the bytes whose lines are still to be read, and those of the last chunk.
  std::size_t at_ = 0, end_ = 0;
  std::optional<TextRange> last_;
  // Of a compressed one: the text that is in memory, how much of it was the last chunk, and the lines before it.
  std::optional<GunzipStream> stream_;
  std::string buffer_;
  std::size_t used_ = 0, lines_ = 0, released_ = 0;
};

/// The first lines of a compressed file: so many that `is_enough` of them, or all.
std::string first_lines(const MappedFile& file, const std::string& name,
                        const std::function<bool(std::string_view)>& is_enough);

}  // namespace lacuna
