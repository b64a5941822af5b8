#include "lacuna/io/frostt_read.h"

#include "lacuna/io/body_lines.h"
#include "lacuna/io/enlarge.h"
#include "lacuna/io/frostt_header.h"
#include "lacuna/support/check.h"

namespace lacuna {
namespace {

std::size_t count_words(const Text& text, TextRange range) {
  TextCursor line(text, range.begin, range.end);
  std::size_t count = 0;
  for (TextRange word = line.next_word(); word.begin != word.end; word = line.next_word()) ++count;
  return count;
}

void check_single_value(const Text& text, const CoordinateList& entries) {
  if (entries.size() == 1) return;
  fail_at(text, line_of_entry(text, 0, frostt_comment, 1),
          "the first line holds one number, so that this is a tensor of order 0: expected the end of the file");
}

}  // namespace

FrosttLayout frostt_layout(const Text& text, const ReadOptions& options) {
  for (const std::int64_t dimension : options.dimensions.value_or(std::vector<std::int64_t>{})) {
    if (dimension < 0) user_error("{}: a dimension cannot be {}", text.name, dimension);
  }
  const FrosttHeader header = read_frostt_header(text);
  const std::size_t words = count_words(text, header.first);
  const auto& dimensions = options.dimensions ? options.dimensions : header.dimensions;
  CoordinateLayout layout;
  layout.comment = frostt_comment;
  layout.dimensions_known = dimensions.has_value();
  if (dimensions) layout.dimensions = *dimensions;
  else if (words != 0) layout.dimensions.assign(words - 1, 0);
  else if (options.least_dimensions) layout.dimensions.assign(options.least_dimensions->size(), 0);
  else
    fail_in(text,
            "no line holds an entry, so that the order of the tensor is unknown: give its dimensions (as -d i=3,j=4)");
  const std::size_t order = layout.dimensions.size();
  if (order > most_modes)
    fail_at(text, header.first, fmt::format("{} coordinates: at most {} are possible", order, most_modes));
  if (words != 0 && words != order + 1) {
    fail_at(text, header.first, fmt::format("{} numbers: expected {} coordinates and a value", words, order));
  }
  if (header.dimensions && header.dimensions->size() != order)
    fail_in(text, fmt::format("it says that it holds a tensor of order {}, not {}", header.dimensions->size(), order));
  layout.declared = header.entries;
  layout.declared_at = header.entries_at;
  if (options.type && *options.type != Type::Bool && *options.type != layout.type) {
    layout.type_fix = options.wanted_type()->instead(layout.type);
    layout.type = *options.type;
  }
  return {layout, header.body};
}

FileContents read_frostt(const Text& text, const ReadOptions& options, const ReadContext& context) {
  const auto [layout, body] = frostt_layout(text, options);
  const std::size_t order = layout.dimensions.size();
  FileContents contents;
  contents.file_format = FileFormat::Frostt;
  contents.entries = read_coordinates(text, body, layout, context);
  if (order == 0 && contents.entries.size() > 0) check_single_value(text, contents.entries);
  if (!layout.dimensions_known && options.least_dimensions && options.least_dimensions->size() == order)
    enlarge(contents.entries, *options.least_dimensions);
  contents.natural = csf_format(static_cast<int>(order));
  return contents;
}

}  // namespace lacuna
