#include "lacuna/io/frostt_read.h"

#include "lacuna/io/body_lines.h"
#include "lacuna/io/coordinate_body.h"

namespace lacuna {
namespace {

constexpr char comment = '#';

std::size_t count_words(const Text& text, TextRange range) {
  TextCursor line(text, range.begin, range.end);
  std::size_t count = 0;
  for (TextRange word = line.next_word(); word.begin != word.end; word = line.next_word()) ++count;
  return count;
}

void check_single_value(const Text& text, const CoordinateList& entries) {
  if (entries.size() == 1) return;
  fail_at(text, line_of_entry(text, 0, comment, 1),
          "the first line holds one number, so that this is a tensor of order 0: expected the end of the file");
}

}  // namespace

CoordinateLayout frostt_layout(const Text& text, const std::optional<std::vector<std::int64_t>>& dimensions) {
  for (const std::int64_t dimension : dimensions.value_or(std::vector<std::int64_t>{})) {
    if (dimension < 0) user_error("{}: a dimension cannot be {}", text.name, dimension);
  }
  const TextRange first = line_of_entry(text, 0, comment, 0);
  const std::size_t words = count_words(text, first);
  CoordinateLayout layout;
  layout.comment = comment;
  layout.dimensions_known = dimensions.has_value();
  if (dimensions) layout.dimensions = *dimensions;
  else if (words == 0)
    fail_in(text, "no line holds an entry, so that the order of the tensor is unknown: give its dimensions");
  else layout.dimensions.assign(words - 1, 0);
  const std::size_t order = layout.dimensions.size();
  if (order > most_modes)
    fail_at(text, first, fmt::format("{} coordinates: at most {} are possible", order, most_modes));
  if (words != 0 && words != order + 1) {
    fail_at(text, first, fmt::format("{} numbers: expected {} coordinates and a value", words, order));
  }
  return layout;
}

FileContents read_frostt(const Text& text, const std::optional<std::vector<std::int64_t>>& dimensions,
                         const ReadContext& context) {
  const CoordinateLayout layout = frostt_layout(text, dimensions);
  const std::size_t order = layout.dimensions.size();
  FileContents contents;
  contents.file_format = FileFormat::Frostt;
  contents.entries = read_coordinates(text, 0, layout, context);
  if (order == 0 && contents.entries.size() > 0) check_single_value(text, contents.entries);
  contents.natural = csf_format(static_cast<int>(order));
  return contents;
}

}  // namespace lacuna
