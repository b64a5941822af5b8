#include "lacuna/explain/numbers.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace lacuna {
namespace {

std::string scaled(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 6> prefixes{"", "k", "M", "G", "T", "P"};
  std::size_t p = 0;
  // What rounds to a thousand takes the next prefix.
  while (value >= 999.5 && p + 1 < prefixes.size()) {
    value /= 1000;
    ++p;
  }
  const bool whole = p == 0 && std::abs(value - std::round(value)) < 0.005;
  const int digits = whole || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const std::string suffix = std::string(prefixes[p]) + std::string(unit);
  return fmt::format("{:.{}f}{}{}", value, digits, suffix.empty() ? "" : " ", suffix);
}

}  // namespace

std::string short_number(double value) {
  if (value < 9999.5 && std::abs(value - std::round(value)) < 0.005) return fmt::format("{:.0f}", value);
  return scaled(value, "");
}
std::string short_bytes(double bytes) { return scaled(bytes, "B"); }

std::string short_time(double seconds) {
  if (seconds >= 0.9995) return scaled(seconds, "s");
  return seconds >= 0.9995e-3 ? scaled(seconds * 1e3, "ms") : scaled(seconds * 1e6, "us");
}

}  // namespace lacuna
