#include "lacuna/support/text_table.h"

#include <algorithm>

namespace lacuna {

std::size_t width_of_text(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

TextTable::TextTable(std::string alignment, std::size_t indent) : alignment_(std::move(alignment)), indent_(indent) {}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(alignment_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of_text(row[c]));
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent_, ' ');
    const char* between = "";
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::string gap(widths[c] - width_of_text(row[c]), ' ');
      line += between + (alignment_[c] == 'r' ? gap + row[c] : row[c] + gap);
      between = "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace lacuna
