#pragma once

#include <string>

namespace lacuna {

/// Three digits that count: "45.6 M", "1.23 k"; whole numbers below ten thousand as they are.
std::string short_number(double value);
/// Three digits with a unit: "16.0 kB".
std::string short_bytes(double bytes);

}  // namespace lacuna
