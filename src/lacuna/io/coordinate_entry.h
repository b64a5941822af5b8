#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "lacuna/io/body_lines.h"
#include "lacuna/io/coordinate_body.h"
#include "lacuna/io/digit_window.h"

namespace lacuna {

/// Where the coordinates of one mode go, and the largest that may. Exactly one of the pointers is set.
struct ModeColumn {
  std::int32_t* narrow = nullptr;
  std::int64_t* wide = nullptr;
  std::uint64_t limit = 0;

  void put(std::int64_t slot, std::uint64_t from_one) const {
    if (narrow != nullptr) narrow[slot] = static_cast<std::int32_t>(from_one - 1);
    else wide[slot] = static_cast<std::int64_t>(from_one - 1);
  }
};

/// Reads a coordinate word that scan_digits would not, or says what is wrong with it.
std::uint64_t read_coordinate(const Text& text, const CoordinateLayout& layout, TextCursor& line, std::size_t mode);
/// Fails for a word after the last of an entry.
void expect_line_end(const Text& text, TextCursor& line);
/// Fails where a symmetric file may not hold the entry.
[[noreturn]] void fail_symmetry(const Text& text, TextRange line, Symmetry symmetry);

/// Parses entries into columns. One object a block and thread.
template <Field field, typename T>
class CoordinateParser {
 public:
  CoordinateParser(const Text& text, const CoordinateLayout& layout, const std::vector<ModeColumn>& columns, T* values)
      : text_(text), layout_(layout), columns_(columns), values_(values), largest_(columns.size(), 0) {}

  /// Returns the number of entries, written from slot block.first on.
  std::int64_t parse(const LineBlock& block) {
    std::int64_t slot = block.first;
    for (const char* p = block.begin; p != block.end;) {
      const char* next = DigitWindow::available ? scan_window(p, block.end, slot) : nullptr;
      if (next == nullptr) next = scan(p, block.end, slot);
      if (next != nullptr) {
        ++slot;
        p = next;
        continue;
      }
      const char* newline = std::find(p, block.end, '\n');
      if (read({block.offset_of(p), block.offset_of(newline)}, slot)) ++slot;
      p = newline + 1;
    }
    return slot - block.first;
  }
  /// The largest coordinate of every mode, from 1; 0 when there was no entry. Kept only when dimensions are not known.
  const std::vector<std::uint64_t>& largest() const { return largest_; }

 private:
  // The commonest lines: every word followed by one blank, coordinates of at most eight digits. Null for all others.
  const char* scan_window(const char* p, const char* end, std::int64_t slot) {
    if (end - p < DigitWindow::readable_bytes) return nullptr;
    DigitWindow window(p);
    const std::size_t order = columns_.size();
    for (std::size_t m = 0; m < order; ++m) {
      const char* word_end = window.next_other();
      std::ptrdiff_t digits = 0;
      if (!DigitWindow::count_digits(p, word_end, 8, digits)) return nullptr;
      const std::uint64_t coordinate = DigitWindow::join(p, digits);
      if (coordinate - 1 >= columns_[m].limit) return nullptr;  // also where there were no digits
      const bool last = field == Field::Pattern && m + 1 == order;
      if (*word_end != (last ? '\n' : ' ')) return nullptr;
      columns_[m].put(slot, coordinate);
      if (!layout_.dimensions_known) largest_[m] = std::max(largest_[m], coordinate);
      p = word_end + 1;
    }
    if constexpr (field == Field::Real && std::is_same_v<T, double>) {
      double value = 0;
      const char* next = scan_short_decimal(window, p, value);
      if (next == nullptr) return scan_rest(p, end, slot);
      values_[slot] = value;
      return layout_.symmetry == Symmetry::General || fits_symmetry(slot) ? next : nullptr;
    } else if constexpr (field == Field::Pattern) {
      return p;
    } else {
      return scan_rest(p, end, slot);
    }
  }

  // Any line that is written plainly. Null for all others.
  const char* scan(const char* p, const char* end, std::int64_t slot) {
    const bool track = !layout_.dimensions_known;
    for (std::size_t m = 0; m < columns_.size(); ++m) {
      while (*p == ' ' || *p == '\t') ++p;
      std::uint64_t coordinate = 0;
      if (!scan_digits(p, coordinate) || coordinate - 1 >= columns_[m].limit) return nullptr;
      if (*p != ' ' && *p != '\t' && (field != Field::Pattern || m + 1 < columns_.size())) return nullptr;
      columns_[m].put(slot, coordinate);
      if (track) largest_[m] = std::max(largest_[m], coordinate);
    }
    return scan_rest(p, end, slot);
  }

  // What follows the coordinates.
  const char* scan_rest(const char* p, const char* end, std::int64_t slot) {
    while (*p == ' ' || *p == '\t') ++p;
    if constexpr (field != Field::Pattern) {
      T value{};
      if (!scan_value<field>(p, end, value)) return nullptr;
      values_[slot] = value;
      while (*p == ' ' || *p == '\t') ++p;
    }
    if (*p == '\r') ++p;
    if (*p != '\n') return nullptr;
    if (layout_.symmetry != Symmetry::General && !fits_symmetry(slot)) return nullptr;
    return p + 1;
  }

  bool read(TextRange range, std::int64_t slot) {
    TextCursor line(text_, range.begin, range.end);
    if (holds_no_entry(line.view(range), layout_.comment)) return false;
    for (std::size_t m = 0; m < columns_.size(); ++m) {
      const std::uint64_t coordinate = read_coordinate(text_, layout_, line, m);
      // Beyond the limit only when dimensions are unknown and the column proves too narrow: all is then read again.
      if (coordinate <= columns_[m].limit) columns_[m].put(slot, coordinate);
      if (!layout_.dimensions_known) largest_[m] = std::max(largest_[m], coordinate);
    }
    if constexpr (field != Field::Pattern) values_[slot] = read_value<field, T>(text_, line, layout_.type_fix);
    expect_line_end(text_, line);
    if (layout_.symmetry != Symmetry::General && !fits_symmetry(slot)) fail_symmetry(text_, range, layout_.symmetry);
    return true;
  }

  bool on_diagonal(std::int64_t slot) const {
    return columns_[0].narrow != nullptr ? columns_[0].narrow[slot] == columns_[1].narrow[slot]
                                         : columns_[0].wide[slot] == columns_[1].wide[slot];
  }

  bool fits_symmetry(std::int64_t slot) const {
    if constexpr (field == Field::Pattern) {
      return true;
    } else {
      const T value = values_[slot];
      if (layout_.symmetry == Symmetry::SkewSymmetric) {
        if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
          if (value == std::numeric_limits<T>::min()) return false;  // its mirror, the negative, does not fit
        }
        return value == T{} || !on_diagonal(slot);
      }
      if constexpr (is_complex_value<T>) {
        if (layout_.symmetry == Symmetry::Hermitian) return value.imag() == 0 || !on_diagonal(slot);
      }
      return true;
    }
  }

  const Text& text_;
  const CoordinateLayout& layout_;
  const std::vector<ModeColumn>& columns_;
  T* values_;
  std::vector<std::uint64_t> largest_;
};

}  // namespace lacuna
