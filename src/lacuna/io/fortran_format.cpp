#include "lacuna/io/fortran_format.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace lacuna {
namespace {

constexpr std::int64_t widest_field = 1000;
constexpr std::int64_t most_fields = 100000;
constexpr std::int64_t most_columns = widest_field * most_fields;

class FormatReader {
 public:
  explicit FormatReader(std::string_view text) {
    for (const char c : text) {
      if (!is_blank(c)) text_ += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
  }
  bool take(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  char take_any(std::string_view chars) {
    if (position_ >= text_.size() || chars.find(text_[position_]) == std::string_view::npos) return '\0';
    return text_[position_++];
  }
  /// None where no digit is next. A number of many digits is cut to one that is too large for every use.
  std::optional<std::int64_t> take_number() {
    constexpr std::int64_t too_large = 1000000;
    if (position_ >= text_.size() || !is_digit(text_[position_])) return std::nullopt;
    std::int64_t number = 0;
    for (; position_ < text_.size() && is_digit(text_[position_]); ++position_) {
      number = std::min(number * 10 + (text_[position_] - '0'), too_large);
    }
    return number;
  }
  bool at(char c) const { return position_ < text_.size() && text_[position_] == c; }
  bool at_end() const { return position_ == text_.size(); }

 private:
  std::string text_;
  std::size_t position_ = 0;
};

}  // namespace

namespace {

/// Reads the items of a format, and keeps where fields are.
class FieldCollector {
 public:
  explicit FieldCollector(FormatReader& reader) : reader_(reader) {}

  /// Items up to the closing parenthesis; false where they are of another form.
  bool read_items(int depth) {
    if (depth > deepest) return false;
    do {
      if (!read_item(depth)) return false;
      // A comma may be left out after a scale factor, as in 1P3E24.16.
    } while (reader_.take(',') || after_scale_);
    return reader_.take(')');
  }
  /// None where there are no fields, or they are not equally far apart.
  std::optional<FortranFormat> format() const {
    if (begins_.empty()) return std::nullopt;
    FortranFormat result = field_;
    result.per_line = std::ssize(begins_);
    result.first = begins_[0];
    result.stride = begins_.size() > 1 ? begins_[1] - begins_[0] : field_.width;
    for (std::size_t k = 1; k < begins_.size(); ++k)
      if (begins_[k] - begins_[k - 1] != result.stride) return std::nullopt;
    return result;
  }

 private:
  static constexpr int deepest = 4;

  bool read_item(int depth) {
    after_scale_ = false;
    const bool negative = reader_.take('-');
    const std::optional<std::int64_t> number = reader_.take_number();
    if (number && reader_.take('P')) {
      scale_ = negative ? -*number : *number;
      after_scale_ = !reader_.at(',') && !reader_.at(')');
      return true;
    }
    if (negative) return false;
    if (reader_.take('X')) return skip(number.value_or(1));
    if (reader_.take('(')) return repeat(number.value_or(1), depth);
    return read_field(number.value_or(1));
  }
  bool skip(std::int64_t columns) {
    column_ += columns;
    return column_ <= most_columns;
  }
  /// Reads a group once, and puts its fields down as often as it counts.
  bool repeat(std::int64_t count, int depth) {
    if (count < 1 || count > most_fields) return false;
    const std::size_t before = begins_.size();
    const std::int64_t start = column_;
    if (!read_items(depth + 1)) return false;
    after_scale_ = false;
    const std::size_t in_group = begins_.size() - before;
    const std::int64_t columns = column_ - start;
    if (static_cast<std::int64_t>(in_group) * count > most_fields) return false;
    for (std::int64_t k = 1; k < count; ++k) {
      for (std::size_t i = 0; i < in_group; ++i) begins_.push_back(begins_[before + i] + k * columns);
      if (!skip(columns)) return false;
    }
    return true;
  }
  bool read_field(std::int64_t count) {
    FortranFormat field;
    field.scale = scale_;
    field.kind = reader_.take_any("IEDFG");
    const std::optional<std::int64_t> width = reader_.take_number();
    if (field.kind == '\0' || !width || *width < 1 || *width > widest_field) return false;
    field.width = *width;
    if (reader_.take('.')) {
      const std::optional<std::int64_t> decimals = reader_.take_number();
      if (!decimals) return false;
      // The digits after an I's point say how many to print at least, and mean nothing when reading.
      field.decimals = field.integer() ? 0 : *decimals;
      if (reader_.take('E') && !reader_.take_number()) return false;
    }
    if (!begins_.empty() && !is_like(field)) return false;
    if (count < 1 || std::ssize(begins_) + count > most_fields) return false;
    field_ = field;
    for (std::int64_t k = 0; k < count; ++k) {
      begins_.push_back(column_);
      if (!skip(field.width)) return false;
    }
    return true;
  }
  bool is_like(const FortranFormat& field) const {
    return field.kind == field_.kind && field.width == field_.width && field.decimals == field_.decimals &&
           field.scale == field_.scale;
  }

  FormatReader& reader_;
  FortranFormat field_;
  std::vector<std::int64_t> begins_;
  std::int64_t column_ = 0, scale_ = 0;
  bool after_scale_ = false;
};

}  // namespace

std::optional<FortranFormat> parse_fortran_format(std::string_view text) {
  FormatReader reader(text);
  FieldCollector fields(reader);
  if (!reader.take('(') || !fields.read_items(0) || !reader.at_end()) return std::nullopt;
  return fields.format();
}

NumberFault read_fortran_real(std::string_view field, const FortranFormat& format, double& value) {
  const bool has_point = field.find('.') != std::string_view::npos;
  // The exponent starts at a letter, or at a sign that is not the number's own.
  std::size_t exponent_at = field.find_first_of("eEdD");
  if (exponent_at == std::string_view::npos && !field.empty()) exponent_at = field.find_first_of("+-", 1);
  const bool has_exponent = exponent_at != std::string_view::npos;
  const bool has_letter = has_exponent && field[exponent_at] != '+' && field[exponent_at] != '-';
  if (has_point && (has_letter || (!has_exponent && format.scale == 0))) return read_real(field, value);
  const std::string_view mantissa = field.substr(0, exponent_at);
  const bool number = mantissa.find_first_not_of("+-.0123456789") == std::string_view::npos;
  if (!number) return read_real(field, value);  // inf and nan, or no number

  std::int64_t exponent = 0;
  if (has_exponent) {
    const std::string_view digits = field.substr(exponent_at + (has_letter ? 1 : 0));
    const NumberFault fault = read_integer(digits, exponent);
    if (fault == NumberFault::NotANumber || fault == NumberFault::NotAnInteger) return NumberFault::NotANumber;
    if (fault == NumberFault::TooLarge) return fault;
    exponent = std::clamp<std::int64_t>(exponent, -1000000, 1000000);
  } else {
    exponent = -format.scale;
  }
  if (!has_point) exponent -= format.decimals;
  if (exponent == 0) return read_real(mantissa, value);
  return read_real(fmt::format("{}e{}", mantissa, exponent), value);
}

}  // namespace lacuna
