#pragma once

#include <utility>

#include <fmt/core.h>

#include "lacuna/support/error.h"  // IWYU pragma: export

// How errors are thrown here. Programs that use Lacuna catch them, and need no more than error.h.
namespace lacuna {

/// Throws Error with a message formatted as by fmt::format.
template <typename... Args>
[[noreturn]] void user_error(fmt::format_string<Args...> message, Args&&... args) {
  throw Error(fmt::format(message, std::forward<Args>(args)...));
}

/// Throws InternalError unless `condition`; the message is formatted only on failure. Stays on in release builds.
template <typename... Args>
void internal_check(bool condition, fmt::format_string<Args...> message, Args&&... args) {
  if (!condition) throw InternalError("internal error: " + fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace lacuna
