#include "lacuna/io/body_lines.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lacuna {
namespace {

// Written so that compilers vectorise it.
std::int64_t count_filled_lines(const char* begin, const char* end) {
  const auto starts_line = [](char before, char c) {
    return static_cast<std::uint8_t>((before == '\n') & (c != '\n'));
  };
  std::int64_t count = starts_line('\n', *begin);
  const char* p = begin + 1;
  constexpr int stretch = 128;
  for (; end - p >= stretch; p += stretch) {
    std::uint8_t in_stretch = 0;
    for (int i = 0; i < stretch; ++i) in_stretch = static_cast<std::uint8_t>(in_stretch + starts_line(p[i - 1], p[i]));
    count += in_stretch;
  }
  for (; p < end; ++p) count += starts_line(p[-1], *p);
  return count;
}

std::vector<LineBlock> cut(const char* begin, const char* end, std::size_t offset, std::size_t block_bytes) {
  std::vector<LineBlock> blocks;
  for (const char* p = begin; p < end;) {
    const char* cut_at = end;
    if (static_cast<std::size_t>(end - p) > block_bytes) {
      const char* earliest = p + block_bytes;
      const void* newline = std::memchr(earliest, '\n', static_cast<std::size_t>(end - earliest));
      cut_at = static_cast<const char*>(newline) + 1;  // there is one: the last byte is a newline
    }
    blocks.push_back({p, cut_at, offset + static_cast<std::size_t>(p - begin)});
    p = cut_at;
  }
  return blocks;
}

}  // namespace

BodyLines::BodyLines(const Text& text, std::size_t begin, const ReadContext& context) {
  const std::string_view body = text.bytes.substr(std::min(begin, text.bytes.size()));
  const std::size_t whole = body.rfind('\n') == std::string_view::npos ? 0 : body.rfind('\n') + 1;
  // About eight blocks a thread balance the load; smaller ones than the least cost more than they balance, and larger
  // ones than the most leave progress unreported for long.
  constexpr std::size_t most_bytes = std::size_t{1} << 23U;
  const auto shares = static_cast<std::size_t>(std::max(context.threads, 1)) * 8;
  const std::size_t block_bytes = std::max(context.block_bytes, std::min(whole / shares, most_bytes));
  blocks_ = cut(body.data(), body.data() + whole, begin, block_bytes);
  if (whole < body.size()) {
    unfinished_ = std::string(body.substr(whole)) + '\n';
    blocks_.push_back({unfinished_.data(), unfinished_.data() + unfinished_.size(), begin + whole});
  }
  run_parallel(context.threads, blocks_.size(),
               [&](std::size_t i) { blocks_[i].lines = count_filled_lines(blocks_[i].begin, blocks_[i].end); });
  for (LineBlock& block : blocks_) {
    block.first = capacity_;
    capacity_ += block.lines;
  }
}

bool holds_no_entry(std::string_view line, char comment) {
  const auto first = std::find_if_not(line.begin(), line.end(), is_blank);
  return first == line.end() || *first == comment;
}

TextRange line_of_entry(const Text& text, std::size_t begin, char comment, std::int64_t index) {
  TextCursor cursor(text, begin, text.bytes.size());
  TextRange line{begin, begin};
  while (!cursor.at_end()) {
    line = cursor.next_line();
    if (!holds_no_entry(cursor.view(line), comment) && index-- == 0) return line;
  }
  return {text.bytes.size(), text.bytes.size()};
}

}  // namespace lacuna
