// Times of Lacuna beside plain alternatives, on this machine, now.

#include <cstdio>
#include <exception>
#include <regex>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/harness.h"
#include "tools/problem.h"

namespace lacuna::bench {
namespace {

struct Benchmark {
  const char* name;
  void (*run)(int threads);
};

constexpr Benchmark benchmarks[] = {
    {"latency", bench_latency}, {"reading", bench_reading}, {"packing", bench_packing}, {"textbook", bench_textbook}};

int run_all(int argc, char** argv) {
  CLI::App app("Medians of alternating runs; ratios are to the first line of each group.", "lacuna_bench");
  std::string filter = ".";
  int threads = 0;
  // The long name is that of Google Benchmark's programs, which scripts know.
  app.add_option("--filter,--benchmark_filter", filter, "run those whose name matches this regular expression");
  app.add_option("--threads", threads, "threads (default: OMP_NUM_THREADS, else all)")->check(CLI::Range(1, 1024));
  CLI11_PARSE(app, argc, argv);
  bool any = false;
  for (const Benchmark& each : benchmarks) {
    if (!std::regex_search(each.name, std::regex(filter))) continue;
    if (any) fmt::print("\n");
    any = true;
    each.run(tool::thread_count(threads));
    std::fflush(stdout);
  }
  if (any) return 0;
  fmt::print(stderr, "lacuna_bench: error: no benchmark matches '{}'; there are latency, reading, packing, textbook\n",
             filter);
  return 2;
}

}  // namespace
}  // namespace lacuna::bench

int main(int argc, char** argv) {
  try {
    return lacuna::bench::run_all(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "lacuna_bench: error: {}\n", error.what());
    return 1;
  }
}
