#pragma once

#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// Throws Error where a file's start shows that it is no text.
void check_is_text(const Text& text);
/// By the name's ending, then by the contents. Throws Error for an ending that is unknown, unless `is_pipe`: then .tns.
FileFormat tell_format(const std::string& path, std::string_view bytes, bool is_pipe);
/// Whether a file is lines of text, each an entry, of which readers can have some each.
bool has_lines_of_entries(FileFormat format);

/// read_text with a given least block size, so that tests and fuzzers can split small texts among threads.
FileContents read_text_in_blocks(FileFormat format, const Text& text, const ReadOptions& options,
                                 std::size_t block_bytes);

/// Throws Error: a file of the format cannot be empty, or not without sizes from elsewhere.
[[noreturn]] void fail_empty(const Text& text, FileFormat format);

}  // namespace lacuna
