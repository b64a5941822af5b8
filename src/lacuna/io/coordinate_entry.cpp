#include "lacuna/io/coordinate_entry.h"

#include <fmt/core.h>

namespace lacuna {
namespace {

std::string mode_name(const CoordinateLayout& layout, std::size_t mode) {
  if (layout.dimensions.size() != 2) return fmt::format("coordinate {}", mode + 1);
  return mode == 0 ? "the row" : "the column";
}

std::string expected_words(const CoordinateLayout& layout) {
  const auto order = layout.dimensions.size();
  std::string expected = order == 2 ? "a row and a column" : fmt::format("{} coordinates", order);
  if (layout.field == Field::Pattern) return expected;
  return expected + (layout.field == Field::Complex ? ", a real and an imaginary part" : " and a value");
}

}  // namespace

std::uint64_t read_coordinate(const Text& text, const CoordinateLayout& layout, TextCursor& line, std::size_t mode) {
  const std::string name = mode_name(layout, mode);
  const TextRange word = line.next_word();
  if (word.begin == word.end) {
    fail_at(text, word, fmt::format("{} is missing: expected {}", name, expected_words(layout)));
  }
  std::int64_t value = 0;
  const NumberFault fault = read_integer(line.view(word), value);
  if (fault != NumberFault::None) {
    fail_at(text, word,
            fmt::format("{} {} {}: expected {}", name, quoted(line.view(word)),
                        describe_fault(fault, "a coordinate of 63 bits"), expected_words(layout)));
  }
  if (value < 1) fail_at(text, word, fmt::format("{} is {}, but coordinates start at 1", name, value));
  if (layout.dimensions_known && value > layout.dimensions[mode]) {
    fail_at(text, word, fmt::format("{} is {}, outside 1…{}", name, value, layout.dimensions[mode]));
  }
  return static_cast<std::uint64_t>(value);
}

void expect_line_end(const Text& text, TextCursor& line) {
  const TextRange word = line.next_word();
  if (word.begin == word.end) return;
  fail_at(text, word,
          fmt::format("{} after the end of the entry: expected the end of the line", quoted(line.view(word))));
}

void fail_symmetry(const Text& text, TextRange line, Symmetry symmetry) {
  if (symmetry == Symmetry::Hermitian) {
    fail_at(text, line, "the diagonal of a hermitian matrix is real, but this entry has an imaginary part");
  }
  fail_at(text, line,
          "a skew-symmetric matrix is zero on its diagonal, and the negative of each of its values fits their type; "
          "not so this entry");
}

}  // namespace lacuna
