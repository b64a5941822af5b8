#pragma once

#include <string>

// Quantities as every report, message and picture shows them: decimal SI prefixes, one space before the unit.
namespace lacuna {

/// Three digits: "45.6 M", "12.3 k"; whole numbers below ten thousand as they are.
std::string number_text(double value);

/// Three digits: "8 B", "16.0 kB".
std::string text_of_bytes(double bytes);
template <typename Number>
std::string bytes_text(Number bytes) {
  return text_of_bytes(static_cast<double>(bytes));
}

/// Three digits: "12.3 µs", "4.56 ms", "7.89 s"; whole seconds from a thousand on.
std::string seconds_text(double seconds);

}  // namespace lacuna
