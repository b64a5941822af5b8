#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lacuna/io/text.h"

namespace lacuna {

/// What a FROSTT file says before its entries. A plain one says nothing: it begins with its first entry.
struct FrosttHeader {
  std::optional<std::vector<std::int64_t>> dimensions;
  std::optional<std::int64_t> entries;  // announced
  TextRange entries_at;
  TextRange first;       // the line of the first entry; at the end of the text where there is none
  std::size_t body = 0;  // where entries begin
};

inline constexpr char frostt_comment = '#';

/// How a comment begins that says the dimensions, which is what Lacuna writes into a file without entries.
inline constexpr std::string_view sizes_comment = "# sizes:";

/// Reads the lines before the first entry. The extended form begins with the order, and mostly the number of entries,
/// on one line, and the dimensions on the next:
///     3 2           or   3
///     100 200 300        100 200 300
///     1 1 1 0.5          1 1 1 0.5
/// Two lines like the first two here cannot be the first entries of a plain file. They could be where the order is two
/// and no entry follows: that is the extended form only below a comment `# extended FROSTT format`.
FrosttHeader read_frostt_header(const Text& text);

/// So many lines after the comments say whether a file is of the extended form.
inline constexpr int lines_of_frostt_header = 3;

}  // namespace lacuna
