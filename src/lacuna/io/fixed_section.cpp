#include "lacuna/io/fixed_section.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

namespace lacuna {
namespace {

TextRange without_blanks(const Text& text, TextRange range) {
  while (range.begin < range.end && is_blank(text.bytes[range.begin])) ++range.begin;
  while (range.begin < range.end && is_blank(text.bytes[range.end - 1])) --range.end;
  return range;
}

/// The next number from `position` on, and moves past it: a word, or what comes before a sign that follows a whole
/// exponent, as in 1.0E-85-3.7E+114, which are two numbers that touch.
TextRange next_number(const Text& text, std::size_t& position, std::size_t end) {
  const std::string_view bytes = text.bytes;
  while (position < end && is_blank(bytes[position])) ++position;
  const std::size_t begin = position;
  bool in_exponent = false;
  for (; position < end && !is_blank(bytes[position]); ++position) {
    const char c = bytes[position];
    const bool is_sign = c == '+' || c == '-';
    if (is_sign && in_exponent && is_digit(bytes[position - 1])) break;
    if (position > begin && std::string_view("eEdD").find(c) != std::string_view::npos) in_exponent = true;
  }
  return {begin, position};
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

/// The fields of a line. They have the columns that the format says. Some writers (SciPy's) write other widths than
/// they declare: where a word crosses from one field into the next or stands behind the last, and the line has as many
/// words as numbers, its words are the fields.
class FixedSection::Fields {
 public:
  /// `count`: how many numbers the line holds.
  Fields(const Text& text, TextRange line, const FortranFormat& format, std::int64_t count)
      : text_(text), line_(line), format_(format), position_(line.begin) {
    const std::int64_t end = count == 0 ? 0 : format.first + (count - 1) * format.stride + format.width;
    rest_ = without_blanks(text, {column(end), line.end});
    is_free_ = (rest_.begin != rest_.end || crosses_columns(count)) && count_numbers() == count;
  }
  /// What is after the last field; empty where the line was taken apart.
  TextRange rest() const { return is_free_ ? TextRange{line_.end, line_.end} : rest_; }
  /// The field of each number, which are asked for in their order.
  TextRange next() {
    if (is_free_) return next_number(text_, position_, line_.end);
    const std::int64_t begin = format_.first + next_++ * format_.stride;
    return without_blanks(text_, {column(begin), column(begin + format_.width)});
  }

 private:
  std::size_t column(std::int64_t number) const {
    return std::min(line_.end, line_.begin + static_cast<std::size_t>(number));
  }
  bool crosses_columns(std::int64_t count) const {
    for (std::int64_t k = 1; k < count; ++k) {
      const std::size_t begin = column(format_.first + k * format_.stride);
      if (begin == line_.end) return false;
      if (!is_blank(text_.bytes[begin - 1]) && !is_blank(text_.bytes[begin])) return true;
    }
    return false;
  }
  std::int64_t count_numbers() const {
    std::int64_t count = 0;
    std::size_t at = line_.begin;
    for (TextRange word = next_number(text_, at, line_.end); word.begin != word.end;
         word = next_number(text_, at, line_.end))
      ++count;
    return count;
  }

  const Text& text_;
  TextRange line_, rest_;
  const FortranFormat& format_;
  std::size_t position_;
  bool is_free_ = false;
  std::int64_t next_ = 0;
};

/// `numbers`: where those of the line go. `read_field(field, word, number)`: what is wrong with a word.
template <typename T, typename Read>
void FixedSection::read_line(TextRange line, std::int64_t first, T* numbers, Read read_field) const {
  const std::int64_t here = std::clamp<std::int64_t>(count_ - first, 0, format_.per_line);
  Fields fields(text_, line, format_, here);
  for (std::int64_t k = 0; k < here; ++k) {
    const TextRange field = fields.next();
    if (field.begin == field.end) fail_at(text_, field, fmt::format("a number is missing from {}", what_));
    const std::string_view word = text_.bytes.substr(field.begin, field.end - field.begin);
    const NumberFault fault = read_field(field, word, numbers[k]);
    if (fault != NumberFault::None) {
      fail_at(text_, field,
              fmt::format("{} in {} {}", quoted(word), what_, describe_fault(fault, type_name(type_of<T>()))));
    }
  }
  const TextRange rest = fields.rest();
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
  const std::int64_t before = index - index % format_.per_line;
  Fields fields(text_, line, format_, std::min(count_ - before, format_.per_line));
  TextRange field = fields.next();
  for (std::int64_t k = before; k < index; ++k) field = fields.next();
  return field;
}

}  // namespace lacuna
