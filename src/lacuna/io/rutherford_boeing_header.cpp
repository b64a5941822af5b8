#include "lacuna/io/rutherford_boeing_header.h"

#include <limits>
#include <vector>

#include <fmt/core.h>

namespace lacuna {
namespace {

std::vector<TextRange> words_of(const Text& text, TextRange range) {
  TextCursor line(text, range.begin, range.end);
  std::vector<TextRange> words;
  for (TextRange word = line.next_word(); word.begin != word.end; word = line.next_word()) words.push_back(word);
  return words;
}

std::int64_t read_size(const Text& text, TextRange line, const std::vector<TextRange>& words, std::size_t index,
                       const char* what) {
  if (index >= words.size()) fail_at(text, line, fmt::format("the header line lacks {}", what));
  const TextRange word = words[index];
  const std::string_view bytes = text.bytes.substr(word.begin, word.end - word.begin);
  std::int64_t size = 0;
  const NumberFault fault = read_integer(bytes, size);
  if (fault != NumberFault::None) {
    fail_at(text, word, fmt::format("{}, {}, {}", what, quoted(bytes), describe_fault(fault, "63 bits")));
  }
  if (size < 0) fail_at(text, word, fmt::format("{} cannot be {}", what, size));
  return size;
}

void read_line_counts(const Text& text, TextRange line, RutherfordBoeingHeader& header) {
  const std::vector<TextRange> words = words_of(text, line);
  header.pointers.lines = read_size(text, line, words, 1, "the number of lines of column pointers");
  header.indices.lines = read_size(text, line, words, 2, "the number of lines of row indices");
  header.values.lines = read_size(text, line, words, 3, "the number of lines of values");
  if (words.size() > 4) {
    header.right_hand_sides = read_size(text, line, words, 4, "the number of lines of right-hand sides") > 0;
  }
}

void read_matrix_type(const Text& text, TextRange word, RutherfordBoeingHeader& header) {
  const std::string type = lower_case(text.bytes.substr(word.begin, word.end - word.begin));
  const auto fail = [&](const char* expected) {
    fail_at(text, word, fmt::format("the matrix type {} is unknown: {}", quoted(type), expected));
  };
  if (type.size() != 3) fail("expected three letters, as in rua");
  switch (type[0]) {
    case 'r': header.field = Field::Real; break;
    case 'c': header.field = Field::Complex; break;
    case 'i': header.field = Field::Integer; break;
    case 'p': header.field = Field::Pattern; break;
    default: fail("the first letter is one of r (real), c (complex), i (integer), p (pattern)");
  }
  switch (type[1]) {
    case 'u':
    case 'r': header.symmetry = Symmetry::General; break;
    case 's': header.symmetry = Symmetry::Symmetric; break;
    case 'z': header.symmetry = Symmetry::SkewSymmetric; break;
    case 'h': header.symmetry = Symmetry::Hermitian; break;
    default: fail("the second letter is one of u, r, s (symmetric), z (skew-symmetric), h (hermitian)");
  }
  if (type[2] == 'e')
    fail_at(text, word, "the matrix is elemental; only assembled matrices (third letter a) can be read");
  if (type[2] != 'a') fail("the third letter is a (assembled)");
  if (header.symmetry == Symmetry::Hermitian && header.field != Field::Complex) {
    fail_at(text, word, "a hermitian matrix is complex");
  }
  if (header.symmetry == Symmetry::SkewSymmetric && header.field == Field::Pattern) {
    fail_at(text, word, "a pattern has no values to negate, so it cannot be skew-symmetric");
  }
}

void read_type_and_sizes(const Text& text, TextRange line, RutherfordBoeingHeader& header) {
  const std::vector<TextRange> words = words_of(text, line);
  if (words.empty()) fail_at(text, line, "the matrix type is missing");
  read_matrix_type(text, words[0], header);
  header.rows = read_size(text, line, words, 1, "the number of rows");
  header.columns = read_size(text, line, words, 2, "the number of columns");
  header.entries = read_size(text, line, words, 3, "the number of entries");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
  if (header.columns >= most || header.entries >= most) fail_at(text, line, "the sizes exceed 62 bits");
  if (header.symmetry != Symmetry::General && header.rows != header.columns) {
    fail_at(text, line,
            fmt::format("a {} matrix is square, but this one is {} × {}", symmetry_name(header.symmetry), header.rows,
                        header.columns));
  }
}

/// Where the parenthesis closes that opens at `open`.
std::size_t closing_parenthesis(std::string_view bytes, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < bytes.size(); ++at) {
    if (bytes[at] == '(') ++depth;
    if (bytes[at] == ')' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

void read_format(const Text& text, TextCursor& line, TextRange range, bool integer, const char* what,
                 FortranFormat& format) {
  const std::string_view bytes = text.bytes.substr(0, range.end);
  const std::size_t open = bytes.find('(', line.position());
  const std::size_t close = open == std::string_view::npos ? open : closing_parenthesis(bytes, open);
  if (close == std::string_view::npos)
    fail_at(text, range, fmt::format("the header line lacks the format of {}", what));
  const auto parsed = parse_fortran_format(bytes.substr(open, close + 1 - open));
  if (!parsed || parsed->integer() != integer) {
    fail_at(text, {open, close + 1},
            fmt::format("the format {} of {} cannot be read: expected one like {}",
                        quoted(bytes.substr(open, close + 1 - open)), what, integer ? "(26I3)" : "(5E15.8)"));
  }
  format = *parsed;
  line = TextCursor(text, close + 1, range.end);
}

void read_formats(const Text& text, TextRange range, RutherfordBoeingHeader& header) {
  TextCursor line(text, range.begin, range.end);
  read_format(text, line, range, true, "the column pointers", header.pointers.format);
  read_format(text, line, range, true, "the row indices", header.indices.format);
  if (header.field == Field::Pattern) return;
  read_format(text, line, range, header.field == Field::Integer, "the values", header.values.format);
}

}  // namespace

RutherfordBoeingHeader read_rutherford_boeing_header(const Text& text) {
  RutherfordBoeingHeader header;
  TextCursor cursor(text);
  const auto next_line = [&](const char* holds) {
    if (cursor.at_end()) {
      fail_at(text, {text.bytes.size(), text.bytes.size()},
              fmt::format("the file ends before the header line of {}", holds));
    }
    return cursor.next_line();
  };
  next_line("the title");
  read_line_counts(text, next_line("the numbers of lines"), header);
  read_type_and_sizes(text, next_line("the matrix type and sizes"), header);
  read_formats(text, next_line("the formats"), header);
  if (header.right_hand_sides) next_line("the right-hand sides");
  header.body = cursor.position();
  return header;
}

}  // namespace lacuna
