#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/io/parallel.h"
#include "lacuna/io/text.h"

namespace lacuna {

/// A stretch of whole lines. The memory always ends with a newline, so that scanning needs no check for its end.
struct LineBlock {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::size_t offset = 0;  // of `begin` in the text
  std::int64_t lines = 0;  // that are not empty, each of which may hold an entry
  std::int64_t first = 0;  // the sum of `lines` of the blocks before

  std::size_t offset_of(const char* p) const { return offset + static_cast<std::size_t>(p - begin); }
};

/// The lines of a text from `begin` to its end, cut into blocks for threads.
class BodyLines {
 public:
  BodyLines(const Text& text, std::size_t begin, const ReadContext& context);
  BodyLines(const BodyLines&) = delete;
  BodyLines& operator=(const BodyLines&) = delete;

  const std::vector<LineBlock>& blocks() const { return blocks_; }
  /// At least the number of entries, since each takes a line that is not empty.
  std::int64_t capacity() const { return capacity_; }

  /// Calls parse(block) for every block, in parallel, and reports progress by bytes.
  template <typename Parse>
  void for_each_block(const ReadContext& context, Parse parse) const {
    std::function<void(std::size_t)> done;
    if (context.progress) {
      done = [&](std::size_t finished) {
        context.progress(static_cast<double>(finished) / static_cast<double>(blocks_.size()));
      };
    }
    run_parallel(
        context.threads, blocks_.size(), [&](std::size_t i) { parse(i, blocks_[i]); }, done);
  }

 private:
  std::vector<LineBlock> blocks_;
  std::string unfinished_;  // a copy, with a newline, of a last line that has none
  std::int64_t capacity_ = 0;
};

/// The line that holds entry `index` (from 0): the one after `index` lines that are neither blank nor comments.
TextRange line_of_entry(const Text& text, std::size_t begin, char comment, std::int64_t index);

/// True for a line without a word and for a comment.
bool holds_no_entry(std::string_view line, char comment);

}  // namespace lacuna
