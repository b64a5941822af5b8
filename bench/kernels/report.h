#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/kernels/kernel.h"
#include "bench/kernels/race.h"

namespace lacuna::contest {

/// All that was measured of one kernel.
struct KernelReport {
  Kernel kernel;
  std::vector<Outcome> outcomes;
};

/// Lacuna's speed over the fastest other contestant on so many threads, as the geometric mean over inputs; 0 where it
/// never met one.
double mean_speed(const KernelReport& report, int threads);
/// The smallest share of the read bandwidth among the inputs of the goal; 0 where none was run.
double least_bandwidth(const KernelReport& report, int threads);
/// The numbers of threads of a report, ascending.
std::vector<int> thread_counts(const KernelReport& report);

/// The table of one kernel, then its means against its goal, on stdout.
void print_table(const KernelReport& report);
/// The same as a picture: a bar for each contestant's speed, as many times as fast as Lacuna; an SVG text.
std::string chart(const KernelReport& report);
/// Everything, every single run included, as JSON.
std::string to_json(const std::vector<KernelReport>& reports, const Field& field);

}  // namespace lacuna::contest
