#include "lacuna/io/fixed_section.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lacuna {
namespace {

TextRange without_blanks(const Text& text, TextRange range) {
  while (range.begin < range.end && is_blank(text.bytes[range.begin])) ++range.begin;
  while (range.begin < range.end && is_blank(text.bytes[range.end - 1])) --range.end;
  return range;
}

}  // namespace

FixedSection::FixedSection(const Text& text, std::string what, std::size_t begin, std::int64_t lines,
                           std::int64_t count, const FortranFormat& format, const ReadContext& context)
    : text_(text), what_(std::move(what)), count_(count), format_(format), begin_(begin) {
  const std::int64_t needed = count / format.per_line + (count % format.per_line != 0 ? 1 : 0);
  if (lines < needed) {
    fail_at(text, {begin, begin},
            fmt::format("{} lines are announced for {}, but {} numbers need {}", lines, what_, count, needed));
  }
  TextCursor cursor(text, begin, text.bytes.size());
  std::int64_t line = 0;
  while (line < lines) {
    Block block{cursor.position(), 0, line};
    while (line < lines && cursor.position() - block.begin < context.block_bytes) {
      if (cursor.at_end()) {
        fail_at(text, {begin, begin},
                fmt::format("{} should have {} lines from here, but the file holds {}: is it cut off?", what_, lines,
                            line));
      }
      cursor.next_line();
      ++line;
    }
    block.end = cursor.position();
    if (context.passed) context.passed(block.begin, block.end);
    blocks_.push_back(block);
  }
  end_ = cursor.position();
  // Every number takes its width, but for the last of a line, of which blanks may be missing.
  const auto bytes = static_cast<std::int64_t>(end_ - begin_);
  if (count > bytes / format.width + lines) {
    fail_at(text, {begin, begin},
            fmt::format("{} should hold {} numbers from here, but its lines are too short", what_, count));
  }
}

/// `numbers`: where those of the line go. `read_field(field, word, number)`: what is wrong with a word.
template <typename T, typename Read>
void FixedSection::read_line(TextRange line, std::int64_t first, T* numbers, Read read_field) const {
  const auto width = static_cast<std::size_t>(format_.width);
  const std::int64_t here = std::clamp<std::int64_t>(count_ - first, 0, format_.per_line);
  for (std::int64_t k = 0; k < here; ++k) {
    const std::size_t begin = std::min(line.end, line.begin + static_cast<std::size_t>(k) * width);
    const TextRange field = without_blanks(text_, {begin, std::min(line.end, begin + width)});
    if (field.begin == field.end) fail_at(text_, field, fmt::format("a number is missing from {}", what_));
    const std::string_view word = text_.bytes.substr(field.begin, field.end - field.begin);
    const NumberFault fault = read_field(field, word, numbers[k]);
    if (fault != NumberFault::None) {
      fail_at(text_, field,
              fmt::format("{} in {} {}", quoted(word), what_, describe_fault(fault, type_name(type_of<T>()))));
    }
  }
  const TextRange rest =
      without_blanks(text_, {std::min(line.end, line.begin + static_cast<std::size_t>(here) * width), line.end});
  if (rest.begin == rest.end) return;
  fail_at(text_, rest,
          fmt::format("{} after the last field of the line of {}",
                      quoted(text_.bytes.substr(rest.begin, rest.end - rest.begin)), what_));
}

template <typename T, typename Read>
std::vector<T> FixedSection::read(Range range, const ReadContext& context, Read read_field) const {
  // Whole lines; after the last number there may be lines without any, which have to be blank.
  const std::int64_t end = range.first + range.count;
  const std::int64_t from = range.first / format_.per_line;
  const std::int64_t to = end == count_ ? std::numeric_limits<std::int64_t>::max()
                                        : end / format_.per_line + (end % format_.per_line != 0 ? 1 : 0);
  const std::int64_t before = from * format_.per_line;
  const std::int64_t last = end == count_ ? count_ : std::min(count_, to * format_.per_line);
  std::vector<T> numbers(static_cast<std::size_t>(last - before));
  // The block before the first one that begins after the first line holds that line.
  const auto begins_after = [](std::int64_t line) { return [line](const Block& b) { return b.first_line <= line; }; };
  auto first_block = std::partition_point(blocks_.begin(), blocks_.end(), begins_after(from));
  if (first_block != blocks_.begin()) --first_block;
  const auto last_block = std::partition_point(first_block, blocks_.end(), begins_after(to - 1));
  run_parallel(context.threads, static_cast<std::size_t>(last_block - first_block), [&](std::size_t i) {
    const Block& block = first_block[static_cast<std::ptrdiff_t>(i)];
    TextCursor cursor(text_, block.begin, block.end);
    for (std::int64_t line = block.first_line; !cursor.at_end() && line < to; ++line) {
      const TextRange place = cursor.next_line();
      if (line < from) continue;
      const std::int64_t first = std::min(line, count_) * format_.per_line;
      read_line(place, first, numbers.data() + std::min(first - before, std::ssize(numbers)), read_field);
    }
  });
  numbers.resize(static_cast<std::size_t>(end - before));
  numbers.erase(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(range.first - before));
  return numbers;
}

std::vector<std::int64_t> FixedSection::read_integers(Range range, const ReadContext& context,
                                                      const std::optional<Limit>& limit) const {
  return read<std::int64_t>(range, context, [&](TextRange field, std::string_view word, std::int64_t& value) {
    const NumberFault fault = read_integer(word, value);
    if (fault == NumberFault::None && limit && (value < 1 || value > limit->most))
      fail_at(text_, field, fmt::format("{} {} is outside 1…{}", limit->name, value, limit->most));
    return fault;
  });
}

std::vector<double> FixedSection::read_reals(Range range, const ReadContext& context) const {
  return read<double>(range, context, [&](TextRange, std::string_view word, double& value) {
    return read_fortran_real(word, format_, value);
  });
}

TextRange FixedSection::place_of(std::int64_t index) const {
  TextCursor cursor(text_, begin_, end_);
  TextRange line = cursor.next_line();
  for (std::int64_t i = index / format_.per_line; i > 0; --i) line = cursor.next_line();
  const auto width = static_cast<std::size_t>(format_.width);
  const std::size_t begin = line.begin + static_cast<std::size_t>(index % format_.per_line) * width;
  return without_blanks(text_, {std::min(line.end, begin), std::min(line.end, begin + width)});
}

}  // namespace lacuna
