#pragma once

#include <random>

#include "unit/dynamic/lower/schema_checker.h"

namespace lacuna::dynamic {

/// What a history is drawn from.
struct HistoryOptions {
  std::int64_t coordinates = 50;  // drawn from [0, coordinates)
  int steps = 300;
  int trees = 2;
  bool check_each = true;  // after each step, not only at the end
  // By how much a coordinate is larger than the one before it, drawn anew for each.
  std::vector<std::int64_t> gaps = {1};
};

/// Takes random steps on a machine and on maps, and expects them to agree.
void run_history(LevelMachine& machine, unsigned seed, const HistoryOptions& options = {});

/// The text of the level file `name` in levels/, its constants set to `size` unless that is 0.
std::string level_text(const std::string& name, int size = 0);
std::vector<std::string> level_names();

}  // namespace lacuna::dynamic
