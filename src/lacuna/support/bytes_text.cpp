#include "lacuna/support/bytes_text.h"

#include <fmt/format.h>

namespace lacuna {

std::string bytes_text(std::int64_t bytes) {
  const auto amount = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", amount / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", amount / 1e6);
  if (bytes < 10'000'000'000'000) return fmt::format("{:.1f} GB", amount / 1e9);
  return fmt::format("{:.1f} TB", amount / 1e12);
}

}  // namespace lacuna
