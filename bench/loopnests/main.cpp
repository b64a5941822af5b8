// Products of several operands: one nest, separate kernels, fused nests and what Lacuna chooses, on this machine, now.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/contest/command.h"
#include "bench/loopnests/report.h"
#include "lacuna/jit/blas.h"
#include "lacuna/support/check.h"
#include "lacuna/support/environment.h"

namespace lacuna::contest {
namespace {

namespace fs = std::filesystem;

struct Arguments : RaceArguments {
  std::vector<std::string> benchmarks;
  std::string heat;
  std::string svg;
};

void declare_all(CLI::App& app, Arguments& a) {
  app.add_option("--benchmark", a.benchmarks, "only benchmarks whose name contains one of these; ';' between them")
      ->delimiter(';');
  declare(app, a);
  app.add_option("--heat", a.heat, "instead: <SpMM,GEMM> on this input with k and l from 16 to 512");
  app.add_option("--svg", a.svg, "write the heat map into this folder");
}

class Races {
 public:
  explicit Races(const Arguments& a)
      : a_(a), inputs_(a.shrink(), a.matrices), engine_(jit_options(read_environment())), effort_(a.effort()) {
    effort_.patience = 5;
  }

  NestReport run(const Benchmark& benchmark) {
    NestReport report{benchmark, {}};
    for (const std::string& input : benchmark.of_tensors ? inputs_.nest_tensors() : inputs_.nest_matrices()) {
      if (!wanted(input, a_.inputs)) continue;
      for (const int threads : a_.threads) report.outcomes.push_back(race_on(benchmark, input, threads));
    }
    return report;
  }

  Outcome race_on(const Benchmark& benchmark, const std::string& input, int threads) {
    return race(benchmark, input, inputs_.matrix(input), threads, engine_, effort_);
  }

 private:
  const Arguments& a_;
  Inputs inputs_;
  Engine engine_;
  Effort effort_;
};

/// The paper's case study (section 6.3, Figure 9).
int run_heat(const Arguments& a) {
  Races races(a);
  const std::vector<Benchmark> all = all_benchmarks();
  Benchmark benchmark = *std::find_if(all.begin(), all.end(), [](const Benchmark& b) { return b.name == "SpMM,GEMM"; });
  std::vector<NestReport> reports;
  bool wrong = false;
  for (const int threads : a.threads) {
    std::vector<Cell> fused, automatic, best;
    for (std::int64_t k = 16; k <= 512; k *= 2) {
      for (std::int64_t l = 16; l <= 512; l *= 2) {
        benchmark.sizes = {{"k", k}, {"l", l}};
        const Outcome o = races.race_on(benchmark, a.heat, threads);
        for (const std::string& note : o.notes) fmt::print("    note: {}\n", note);
        wrong = wrong || o.wrong;
        fused.push_back({k, l, o.fused});
        automatic.push_back({k, l, o.automatic});
        best.push_back({k, l, o.speed.value});
        fmt::print(
            "k {:>3}, l {:>3}, {} threads: over separate: loopfuse {:.2f}, automatic {:.2f}; automatic over {} "
            "{:.2f}\n",
            k, l, threads, o.fused, o.automatic, o.best, o.speed.value);
        std::fflush(stdout);
        reports.push_back({benchmark, {o}});
      }
    }
    if (a.svg.empty()) continue;
    const std::string where = fmt::format("on {}, {} thread{}", a.heat, threads, threads == 1 ? "" : "s");
    const auto draw = [&](const char* name, const std::string& title, const std::vector<Cell>& cells) {
      write_text(fs::path(a.svg) / fmt::format("{}-{}.svg", name, threads), heat_map(title, cells));
    };
    draw("loopfuse", "SpMM,GEMM: speed of loopfuse over separate kernels " + where, fused);
    draw("automatic", "SpMM,GEMM: speed of the automatic schedule over separate kernels " + where, automatic);
    draw("best", "SpMM,GEMM: speed of the automatic schedule over the best other " + where, best);
  }
  if (!a.json.empty()) write_text(a.json, to_json(reports));
  return wrong ? 1 : 0;
}

int run(const Arguments& a) {
  fmt::print("dense products by {}\n", blas() == nullptr ? "Lacuna alone: there is no OpenBLAS" : blas()->name);
  if (!a.svg.empty()) fs::create_directories(a.svg);
  if (!a.heat.empty()) return run_heat(a);
  Races races(a);
  std::vector<NestReport> reports;
  bool wrong = false;
  for (const Benchmark& benchmark : all_benchmarks()) {
    if (!wanted(benchmark.name, a.benchmarks)) continue;
    NestReport report = races.run(benchmark);
    if (report.outcomes.empty()) continue;
    fmt::print("\n");
    print_table(report);
    std::fflush(stdout);
    for (const Outcome& outcome : report.outcomes) wrong = wrong || outcome.wrong;
    reports.push_back(std::move(report));
  }
  if (reports.empty()) user_error("no benchmark or no input has such a name");
  if (!a.json.empty()) write_text(a.json, to_json(reports));
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace lacuna::contest

int main(int argc, char** argv) {
  CLI::App app(
      "Products of several operands, computed in one nest, by separate kernels one after another, by nests fused with "
      "loopfuse, and as Lacuna chooses unasked. Contestants take turns; shown are medians, and the ratio of the "
      "automatic schedule's speed to that of the fastest other one with its 95 % interval by bootstrap. A missed goal "
      "does not fail; results that disagree exit with 1.",
      "lacuna_bench_loopnests");
  lacuna::contest::Arguments arguments;
  lacuna::contest::declare_all(app, arguments);
  return lacuna::contest::run_command(app, argc, argv, [&] { return lacuna::contest::run(arguments); });
}
