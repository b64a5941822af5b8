#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

/// Columns of a terminal that UTF-8 text takes.
std::size_t width_of_text(const std::string& text);

/// Rows of cells under one another, each column as wide as its widest cell, two blanks apart.
class TextTable {
 public:
  /// 'l' or 'r' for each column; `indent` blanks before the first one.
  explicit TextTable(std::string alignment, std::size_t indent = 2);
  /// A row may have fewer cells than there are columns.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// A line for each row. A column whose cells are all empty takes no room.
  std::string text() const;

 private:
  std::string alignment_;
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lacuna
