#pragma once

#include <string>
#include <vector>

#include "lacuna/loop/counters.h"

namespace lacuna {

/// What a compilation or a run did, for people and for `--report json`.
struct Report {
  double compile_ms = 0;     // statement to callable kernel
  double prepare_ms = 0;     // automatic copies and conversions of operands; copies to a device
  double kernel_ms = 0;      // the kernel alone
  double finish_ms = 0;      // sorting, conversion to the requested format; copies from a device
  bool from_memory = false;  // the kernel was already loaded
  bool from_disk = false;
  std::vector<std::string> notes;  // what was done unasked: "B is converted to csc", …
  loop::Counters counters;         // interpreter only
};

}  // namespace lacuna
