#include "lacuna/support/quantity_text.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace lacuna {
namespace {

bool is_whole(double value) { return std::abs(value - std::round(value)) < 0.005; }

std::string three_digits(double value) {
  const int digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}", value, digits);
}

std::string scaled(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 7> prefixes{"", "k", "M", "G", "T", "P", "E"};
  std::size_t p = 0;
  // What rounds to a thousand takes the next prefix.
  while (value >= 999.5 && p + 1 < prefixes.size()) {
    value /= 1000;
    ++p;
  }
  const std::string digits = p == 0 && is_whole(value) ? fmt::format("{:.0f}", value) : three_digits(value);
  const std::string suffix = std::string(prefixes[p]) + std::string(unit);
  return fmt::format("{}{}{}", digits, suffix.empty() ? "" : " ", suffix);
}

}  // namespace

std::string number_text(double value) {
  if (value < 9999.5 && is_whole(value)) return fmt::format("{:.0f}", value);
  return scaled(value, "");
}

std::string text_of_bytes(double bytes) { return scaled(bytes, "B"); }

std::string seconds_text(double seconds) {
  if (seconds >= 999.5) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 0.9995) return three_digits(seconds) + " s";
  if (seconds >= 0.9995e-3) return three_digits(seconds * 1e3) + " ms";
  return seconds == 0 ? "0 µs" : three_digits(seconds * 1e6) + " µs";
}

}  // namespace lacuna
