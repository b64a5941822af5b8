#pragma once

#include "lacuna/io/io.h"
#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// read_text with a given least block size, so that tests and fuzzers can split small texts among threads.
FileContents read_text_in_blocks(FileFormat format, const Text& text, const ReadOptions& options,
                                 std::size_t block_bytes);

}  // namespace lacuna
