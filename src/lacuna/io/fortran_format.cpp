#include "lacuna/io/fortran_format.h"

#include <algorithm>

namespace lacuna {
namespace {

constexpr std::int64_t widest_field = 1000;
constexpr std::int64_t most_fields = 100000;

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
  bool at_end() const { return position_ == text_.size(); }

 private:
  std::string text_;
  std::size_t position_ = 0;
};

}  // namespace

std::optional<FortranFormat> parse_fortran_format(std::string_view text) {
  FormatReader reader(text);
  FortranFormat format;
  if (!reader.take('(')) return std::nullopt;
  const bool negative = reader.take('-');
  std::optional<std::int64_t> number = reader.take_number();
  if (reader.take('P')) {
    if (!number) return std::nullopt;
    format.scale = negative ? -*number : *number;
    reader.take(',');
    number = reader.take_number();
  } else if (negative) {
    return std::nullopt;
  }
  format.per_line = number.value_or(1);
  format.kind = reader.take_any("IEDFG");
  const std::optional<std::int64_t> width = reader.take_number();
  if (format.kind == '\0' || !width) return std::nullopt;
  format.width = *width;
  if (reader.take('.')) {
    const std::optional<std::int64_t> decimals = reader.take_number();
    if (!decimals) return std::nullopt;
    // The digits after an I's point say how many to print at least, and mean nothing when reading.
    format.decimals = format.integer() ? 0 : *decimals;
    if (reader.take('E') && !reader.take_number()) return std::nullopt;
  }
  if (!reader.take(')') || !reader.at_end()) return std::nullopt;
  if (format.width < 1 || format.width > widest_field) return std::nullopt;
  if (format.per_line < 1 || format.per_line > most_fields) return std::nullopt;
  return format;
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
