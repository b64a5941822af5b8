#include "lacuna/io/numbers.h"

#include <algorithm>
#include <string>

#include <fmt/core.h>

namespace lacuna {
namespace {

bool all_digits(std::string_view word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_digit); }

// True for text such as "inf", "-Infinity" or "nan", whose infinite value is meant.
bool names_a_special_value(std::string_view word) { return std::none_of(word.begin(), word.end(), is_digit); }

}  // namespace

template <typename T>
NumberFault read_integer(std::string_view word, T& value) {
  const bool negative = word.starts_with('-');
  const std::string_view digits = negative || word.starts_with('+') ? word.substr(1) : word;
  if (!all_digits(digits)) {
    double real = 0;
    return read_real(word, real) == NumberFault::NotANumber ? NumberFault::NotANumber : NumberFault::NotAnInteger;
  }
  // The largest magnitude: one more below zero than above it.
  constexpr auto max =
      std::is_same_v<T, bool> ? std::uint64_t{1} : static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const std::uint64_t limit = !negative ? max : std::is_signed_v<T> ? max + 1 : 0;
  std::uint64_t magnitude = 0;
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (digit > limit || magnitude > (limit - digit) / 10) return NumberFault::TooLarge;
    magnitude = magnitude * 10 + digit;
  }
  if constexpr (std::is_same_v<T, bool>) value = magnitude != 0;
  else value = static_cast<T>(negative ? 0 - magnitude : magnitude);
  return NumberFault::None;
}

template <typename T>
NumberFault read_real(std::string_view word, T& value) {
  std::string rewritten;
  if (word.starts_with('+') && word.size() > 1 && word[1] != '-') word.remove_prefix(1);
  if (word.find_first_of("dD") != std::string_view::npos) {
    rewritten = word;
    std::replace_if(
        rewritten.begin(), rewritten.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
    word = rewritten;
  }
  const char* end = word.data() + word.size();
  const auto result = fast_float::from_chars(word.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return NumberFault::NotANumber;
  if (std::isinf(value) && !names_a_special_value(word)) return NumberFault::TooLarge;
  return NumberFault::None;
}

std::string describe_fault(NumberFault fault, std::string_view type) {
  switch (fault) {
    case NumberFault::None: return "is a number";
    case NumberFault::NotANumber: return "is not a number";
    case NumberFault::NotAnInteger: return "is not an integer";
    case NumberFault::TooLarge: return fmt::format("does not fit {}", type);
  }
  throw InternalError("internal error: a NumberFault outside its enumeration");
}

template NumberFault read_integer(std::string_view, bool&);
template NumberFault read_integer(std::string_view, std::int8_t&);
template NumberFault read_integer(std::string_view, std::int16_t&);
template NumberFault read_integer(std::string_view, std::int32_t&);
template NumberFault read_integer(std::string_view, std::int64_t&);
template NumberFault read_integer(std::string_view, std::uint8_t&);
template NumberFault read_integer(std::string_view, std::uint16_t&);
template NumberFault read_integer(std::string_view, std::uint32_t&);
template NumberFault read_integer(std::string_view, std::uint64_t&);
template NumberFault read_real(std::string_view, float&);
template NumberFault read_real(std::string_view, double&);

}  // namespace lacuna
