#include "lacuna/io/frostt_header.h"

#include "lacuna/io/body_lines.h"
#include "lacuna/io/coordinate_body.h"

namespace lacuna {
namespace {

constexpr std::string_view extended_comment = "# extended frostt";

std::vector<TextRange> words_in(const Text& text, TextRange range) {
  TextCursor line(text, range.begin, range.end);
  std::vector<TextRange> words;
  for (TextRange word = line.next_word(); word.begin != word.end; word = line.next_word()) words.push_back(word);
  return words;
}

/// The words as numbers from 0 on; none where one is something else.
std::optional<std::vector<std::int64_t>> naturals_of(const Text& text, TextRange range) {
  std::vector<std::int64_t> numbers;
  for (const TextRange word : words_in(text, range)) {
    std::int64_t number = 0;
    const std::string_view bytes = text.bytes.substr(word.begin, word.end - word.begin);
    if (read_integer(bytes, number) != NumberFault::None || number < 0) return std::nullopt;
    numbers.push_back(number);
    if (numbers.size() > most_modes + 1) return std::nullopt;
  }
  return numbers;
}

/// What the comments before the first entry say.
struct Comments {
  std::optional<std::vector<std::int64_t>> dimensions;
  bool extended = false;
};

Comments comments_before(const Text& text, std::size_t end) {
  Comments said;
  TextCursor cursor(text, 0, end);
  while (!cursor.at_end()) {
    const TextRange line = cursor.next_line();
    const std::string_view bytes = cursor.view(line);
    if (lower_case(bytes.substr(0, extended_comment.size())) == extended_comment) said.extended = true;
    if (!bytes.starts_with(sizes_comment)) continue;
    const auto sizes = naturals_of(text, {line.begin + sizes_comment.size(), line.end});
    if (sizes && sizes->size() <= most_modes) said.dimensions = sizes;
  }
  return said;
}

/// Up to three lines that are not comments, and where what follows the second begins.
struct FirstLines {
  std::vector<TextRange> lines;
  std::size_t after_second = 0;
};

FirstLines first_lines_of(const Text& text) {
  FirstLines first;
  TextCursor cursor(text);
  while (!cursor.at_end() && first.lines.size() < lines_of_frostt_header) {
    const TextRange line = cursor.next_line();
    if (holds_no_entry(cursor.view(line), frostt_comment)) continue;
    first.lines.push_back(line);
    if (first.lines.size() == 2) first.after_second = cursor.position();
  }
  return first;
}

/// Reads the extended form, if it is one.
bool read_extended(const Text& text, const FirstLines& first, bool says_so, FrosttHeader& header) {
  if (first.lines.size() < 2) return false;
  const auto start = naturals_of(text, first.lines[0]), sizes = naturals_of(text, first.lines[1]);
  if (!start || start->empty() || start->size() > 2 || !sizes) return false;
  const auto order = static_cast<std::size_t>((*start)[0]);
  if (order < 1 || order > most_modes || sizes->size() != order) return false;
  const bool may_be_plain = start->size() == 2 && order == 2;
  const bool has_entry = first.lines.size() > 2;
  if (may_be_plain && !says_so && !(has_entry && words_in(text, first.lines[2]).size() == order + 1)) return false;
  header.dimensions = sizes;
  if (start->size() == 2) {
    header.entries = (*start)[1];
    header.entries_at = words_in(text, first.lines[0])[1];
  }
  header.body = first.after_second;
  header.first = has_entry ? first.lines[2] : TextRange{text.bytes.size(), text.bytes.size()};
  return true;
}

}  // namespace

FrosttHeader read_frostt_header(const Text& text) {
  const FirstLines first = first_lines_of(text);
  const std::size_t end = text.bytes.size();
  FrosttHeader header;
  header.first = first.lines.empty() ? TextRange{end, end} : first.lines[0];
  const Comments comments = comments_before(text, header.first.begin);
  if (!read_extended(text, first, comments.extended, header)) header.dimensions = comments.dimensions;
  return header;
}

}  // namespace lacuna
