#pragma once

#include <string>
#include <vector>

#include "lacuna/engine/engine.h"

namespace lacuna::golden {

/// A statement whose stages are pinned; everything that the schedule looks at is fixed.
struct Kernel {
  std::string name;                         // of its files: NAME.txt and hand/NAME.c
  std::vector<std::string> argument_names;  // of the hand-written kernel, result first
  Request request;
};

/// The kernels of the papers, scheduled automatically but for MTTKRP, whose rows are added to in memory.
std::vector<Kernel> kernels();

/// Some of them, and longer products, under schedules; these have no hand-written kernels.
std::vector<Kernel> scheduled_kernels();

}  // namespace lacuna::golden
