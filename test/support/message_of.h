#pragma once

#include <string>

#include "lacuna/support/error.h"

namespace lacuna {

/// What an action that is refused says; "no error" where it is not.
template <typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace lacuna
