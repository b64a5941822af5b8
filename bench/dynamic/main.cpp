// Tensors in lists and trees beside arrays and maps, on this machine, now.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/contest/command.h"
#include "bench/dynamic/kernels.h"
#include "bench/dynamic/updates.h"
#include "lacuna/support/check.h"
#include "lacuna/support/environment.h"

namespace lacuna::contest {
namespace {

struct Benchmark {
  const char* name;
  bool (*race)(const Setting&);
};
constexpr Benchmark benchmarks[] = {
    {"pagerank", race_page_rank}, {"result", race_tree_result}, {"addition", race_addition}, {"inserts", race_inserts}};

/// Power-law and road-like graphs, and the user's own files.
std::vector<std::string> graphs(const Inputs& inputs) {
  std::vector<std::string> all = inputs.matrices();
  std::erase_if(all, [](const std::string& name) { return name == "banded" || name == "uniform"; });
  return all;
}

int run(const RaceArguments& a, const std::vector<std::string>& wishes) {
  Inputs inputs(a.shrink(), a.matrices);
  Engine engine(jit_options(read_environment()));
  bool agree = true, any = false;
  for (const Benchmark& benchmark : benchmarks) {
    if (!wanted(benchmark.name, wishes)) continue;
    for (const std::string& input : graphs(inputs)) {
      if (!wanted(input, a.inputs)) continue;
      for (const int threads : a.threads) {
        any = true;
        agree = benchmark.race({engine, input, inputs.matrix(input), threads, a.effort()}) && agree;
      }
    }
  }
  if (!any) user_error("no benchmark or no input has such a name");
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace lacuna::contest

int main(int argc, char** argv) {
  CLI::App app(
      "Tensors that change, in lists and trees, beside arrays and maps of entries. Contestants take turns; shown are "
      "medians, and the ratio of each time to that of the first with its 95 % interval by bootstrap. A missed goal "
      "does not fail; results that disagree exit with 1.",
      "lacuna_bench_dynamic");
  lacuna::contest::RaceArguments arguments;
  std::vector<std::string> benchmarks;
  app.add_option("--benchmark", benchmarks,
                 "only benchmarks whose name contains one of these: pagerank, result, addition, inserts")
      ->delimiter(',');
  lacuna::contest::declare(app, arguments);
  return lacuna::contest::run_command(app, argc, argv, [&] { return lacuna::contest::run(arguments, benchmarks); });
}
