#pragma once

#include <string>

namespace lacuna {

/// Three digits that count: "45.6 M", "1.23 k"; whole numbers below ten thousand as they are.
std::string short_number(double value);
/// Three digits with a unit: "16.0 kB".
std::string short_bytes(double bytes);
/// "12.3 us", "4.56 ms", "7.89 s".
std::string short_time(double seconds);

}  // namespace lacuna
