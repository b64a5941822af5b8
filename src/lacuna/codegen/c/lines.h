#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

/// Lines of C under construction, indented by two spaces a level.
class Lines {
 public:
  explicit Lines(int level = 0) : level_(level) {}
  void add(std::string_view line);
  /// A line that starts in the first column: a pragma or a label belongs to no level.
  void add_unindented(std::string_view line);
  /// `start(item, item, …)end`, broken after commas where it would be longer than a line.
  void add_list(const std::string& start, const std::vector<std::string>& items, std::string_view end);
  void append(const Lines& other);
  void indent() { level_++; }
  void outdent() { level_--; }
  int level() const { return level_; }
  const std::vector<std::string>& lines() const { return lines_; }
  std::string text() const;

 private:
  int level_;
  std::vector<std::string> lines_;
};

inline constexpr std::size_t line_width = 100;

}  // namespace lacuna
