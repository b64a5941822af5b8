#include "lacuna/codegen/c/lines.h"

namespace lacuna {

void Lines::add(std::string_view line) {
  std::string text(static_cast<std::size_t>(level_) * 2, ' ');
  text += line;
  lines_.push_back(std::move(text));
}

void Lines::add_unindented(std::string_view line) { lines_.emplace_back(line); }

void Lines::add_list(const std::string& start, const std::vector<std::string>& items, std::string_view end) {
  std::string line = start;
  for (std::size_t k = 0; k < items.size(); k++) {
    const bool last = k + 1 == items.size();
    const std::string item = items[k] + (last ? "" : ",");
    const std::size_t width = static_cast<std::size_t>(level_) * 2 + line.size() + item.size() + end.size();
    if (k > 0 && width > line_width) {
      add(line);
      line = "    ";
    } else if (k > 0) {
      line += ' ';
    }
    line += item;
  }
  line += end;
  add(line);
}

void Lines::append(const Lines& other) { lines_.insert(lines_.end(), other.lines_.begin(), other.lines_.end()); }

std::string Lines::text() const {
  std::string result;
  for (const std::string& line : lines_) result += line + "\n";
  return result;
}

}  // namespace lacuna
