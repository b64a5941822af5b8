#pragma once

#include <cstdint>
#include <string>

#include "lacuna/compile/plan/options.h"

namespace lacuna::fuzz {

/// What the command line asks of a session of histories.
struct HistorySession {
  int interpret = 0;
  int compile = 0;
  std::uint64_t seed = 1;
  double seconds = 0;
  bool shrink = false;
  int failures = 1;
  std::string folder;
  JitOptions jit;
};

/// Draws and runs histories; prints what fails, and in the end what was done. Whether nothing failed.
bool run_histories(const HistorySession& session);

}  // namespace lacuna::fuzz
