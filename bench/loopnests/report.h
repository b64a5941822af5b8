#pragma once

#include <string>
#include <vector>

#include "bench/loopnests/race.h"

namespace lacuna::contest {

/// All that was measured of one benchmark.
struct NestReport {
  Benchmark benchmark;
  std::vector<Outcome> outcomes;
};

/// The table of a benchmark, then its means against its goals, on stdout.
void print_table(const NestReport& report);
/// Everything, every single run included, as JSON.
std::string to_json(const std::vector<NestReport>& reports);

/// One field of a heat map: the inner dimensions k and l, and a ratio of speeds.
struct Cell {
  std::int64_t k = 0;
  std::int64_t l = 0;
  double speed = 1;
};
/// A picture of the cells, k downwards and l to the right: blue above 1, red below; an SVG text.
std::string heat_map(const std::string& title, const std::vector<Cell>& cells);

}  // namespace lacuna::contest
