// Lacuna's kernels beside the fastest libraries, on this machine, now.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <omp.h>
#include <CLI/CLI.hpp>

#include "bench/contest/command.h"
#include "bench/kernels/report.h"
#include "lacuna/support/check.h"

namespace lacuna::contest {
namespace {

struct Arguments : RaceArguments {
  std::vector<std::string> kernels;
  std::vector<std::string> peers;
  std::string schedule;
  std::string svg;
  bool list = false;
};

void declare_all(CLI::App& app, Arguments& a) {
  app.add_option("--kernel", a.kernels, "only kernels whose name contains one of these")->delimiter(',');
  app.add_option("--peer", a.peers, "only peers whose name contains one of these; 'none' for Lacuna alone")
      ->delimiter(',');
  app.add_option("--schedule", a.schedule, "directives: Lacuna takes part a second time, under this schedule");
  declare(app, a);
  app.add_option("--svg", a.svg, "write a picture of each kernel into this folder");
  app.add_flag("--list", a.list, "only list the kernels and who takes part");
}

std::vector<Peer> present_peers(const std::vector<std::string>& wishes) {
  std::vector<Peer> peers;
  std::vector<std::string> missing;
  for (const auto& make : {textbook_peer, eigen_peer, graphblas_peer, rsb_peer, petsc_peer, mkl_peer}) {
    Peer peer = make();
    if (!wanted(peer.name, wishes)) continue;
    if (peer.present) peers.push_back(std::move(peer));
    else missing.push_back(peer.name);
  }
  fmt::print("contestants: Lacuna");
  for (const Peer& peer : peers) fmt::print(", {}", peer.name);
  fmt::print("\n");
  if (!missing.empty()) fmt::print("not found when this was configured: {}\n", fmt::join(missing, ", "));
  return peers;
}

/// Measures the bandwidth for each number of threads, and says it.
std::map<int, double> bandwidths(const Arguments& a) {
  constexpr std::int64_t bytes = std::int64_t{1} << 29;
  std::map<int, double> rates;
  for (const int threads : a.threads) {
    rates[threads] = read_bandwidth(bytes, threads);
    fmt::print("a plain sum reads {:.1f} GB/s on {} thread{}\n", rates[threads] / 1e9, threads,
               threads == 1 ? "" : "s");
  }
  return rates;
}

KernelReport run_kernel(const Kernel& kernel, const Arguments& a, Inputs& inputs, LacunaContestants& lacuna,
                        const Field& field) {
  KernelReport report{kernel, {}};
  for (const std::string& input : kernel.inputs(inputs)) {
    if (!wanted(input, a.inputs)) continue;
    const Problem problem = kernel.make(inputs, input);
    for (const int threads : a.threads) {
      omp_set_num_threads(threads);
      const std::string& schedule = a.schedule.empty() ? kernel.schedule : a.schedule;
      report.outcomes.push_back(race(problem, schedule, threads, lacuna, field));
    }
  }
  return report;
}

int list_kernels() {
  for (const Kernel& kernel : all_kernels()) {
    fmt::print("{:<24} {:<44} goal {:.2f}\n", kernel.name, kernel.statement, kernel.goal.speed);
  }
  present_peers({});
  return 0;
}

int run(const Arguments& a) {
  if (a.list) return list_kernels();
  std::vector<Kernel> kernels;
  for (Kernel& kernel : all_kernels()) {
    if (wanted(kernel.name, a.kernels)) kernels.push_back(std::move(kernel));
  }
  if (kernels.empty())
    user_error("no kernel's name contains '{}'; --list shows them all", fmt::join(a.kernels, "', '"));
  if (!a.svg.empty()) std::filesystem::create_directories(a.svg);
  const Field field{present_peers(a.peers), bandwidths(a), a.effort()};
  Inputs inputs(a.shrink(), a.matrices);
  LacunaContestants lacuna;
  std::vector<KernelReport> reports;
  bool wrong = false;
  for (const Kernel& kernel : kernels) {
    KernelReport report = run_kernel(kernel, a, inputs, lacuna, field);
    if (report.outcomes.empty()) continue;
    fmt::print("\n");
    print_table(report);
    std::fflush(stdout);
    if (!a.svg.empty()) write_text(std::filesystem::path(a.svg) / (kernel.name + ".svg"), chart(report));
    for (const Outcome& outcome : report.outcomes) wrong = wrong || outcome.wrong;
    reports.push_back(std::move(report));
  }
  if (reports.empty()) user_error("no input's name contains '{}'", fmt::join(a.inputs, "', '"));
  if (!a.json.empty()) write_text(a.json, to_json(reports, field));
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace lacuna::contest

int main(int argc, char** argv) {
  CLI::App app(
      "Lacuna's kernels beside textbook loops and the libraries that were found. Contestants take turns; shown are "
      "medians, and the ratio of Lacuna's speed to that of the fastest other one with its 95 % interval by bootstrap. "
      "A missed goal does not fail; results that disagree exit with 1.",
      "lacuna_bench_kernels");
  lacuna::contest::Arguments arguments;
  lacuna::contest::declare_all(app, arguments);
  return lacuna::contest::run_command(app, argc, argv, [&] { return lacuna::contest::run(arguments); });
}
