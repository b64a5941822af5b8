// Lacuna's ranks beside PETSc, ScaLAPACK and threads, on this machine, now. mpirun starts it.

#include <unistd.h>

#include <cstdlib>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/contest/command.h"
#include "bench/contest/inputs.h"
#include "bench/distributed/kernels.h"
#include "bench/distributed/petsc.h"
#include "lacuna/jit/blas.h"
#include "lacuna/support/check.h"
#include "lacuna/support/environment.h"

namespace lacuna::contest {
namespace {

struct Arguments {
  std::vector<std::string> benchmarks, inputs;
  bool small = false, quick = false;
  double seconds = 3;
  std::string matrices;
  std::vector<std::int64_t> gemm_sizes = {2048};
  std::int64_t gemm_block = 128;

  Effort effort() const {
    Effort effort;
    effort.seconds = quick ? 0 : seconds;
    if (effort.seconds == 0) effort.least = 1;
    return effort;
  }
};

struct Benchmark {
  const char* name;
  bool is_wide;  // on matrices with a quarter of the rows: its dense operands are many times as large
  bool (*race)(const Setting&);
};
constexpr Benchmark benchmarks[] = {{"spmv", false, race_spmv},
                                    {"spmm", true, race_spmm},
                                    {"add3", false, race_sum},
                                    {"planning", false, race_planning}};

std::vector<std::string> inputs_of(const Benchmark& benchmark, const Inputs& inputs) {
  std::vector<std::string> all = benchmark.is_wide ? inputs.quarter_matrices() : inputs.matrices();
  std::erase_if(all, [](const std::string& name) { return name.starts_with("uniform"); });
  return all;
}

void declare_arguments(CLI::App& app, Arguments& a) {
  app.add_option("--benchmark", a.benchmarks,
                 "only benchmarks whose name contains one of these: spmv, spmm, add3, planning, launch, network, gemm")
      ->delimiter(',');
  app.add_option("--input", a.inputs, "only inputs whose name contains one of these")->delimiter(',');
  app.add_flag("--small", a.small, "everything a twentieth as large, for a quick check");
  app.add_flag("--quick", a.quick, "small, and each contestant once: only whether they agree");
  app.add_option("--seconds", a.seconds, "how long the contestants of a problem take turns; 0: once")
      ->capture_default_str();
  app.add_option("--matrices", a.matrices, "a folder of .mtx files to run on, too")->check(CLI::ExistingDirectory);
  app.add_option("--gemm-size", a.gemm_sizes, "rows of dense matrices, such as 2048,4096")
      ->delimiter(',')
      ->check(CLI::Range(1, 32768))
      ->capture_default_str();
  app.add_option("--gemm-block", a.gemm_block, "rows of ScaLAPACK's blocks")
      ->check(CLI::Range(1, 32768))
      ->capture_default_str();
}

int run(const Arguments& a) {
  Ranks ranks;
  const Petsc petsc;
  if (ranks.is_first()) fmt::print("beside {}, ScaLAPACK: {}\n", petsc.name(), LACUNA_SCALAPACK);
  const bool small = a.small || a.quick;
  Inputs inputs(small ? 20 : 1, a.matrices);
  Engine engine(jit_options(read_environment()));
  bool agree = true, any = false;
  for (const Benchmark& benchmark : benchmarks) {
    if (!wanted(benchmark.name, a.benchmarks)) continue;
    for (const std::string& input : inputs_of(benchmark, inputs)) {
      if (!wanted(input, a.inputs)) continue;
      any = true;
      agree = benchmark.race({engine, ranks, a.effort(), input, inputs.matrix(input)}) && agree;
    }
  }
  if (wanted("launch", a.benchmarks)) {
    any = true;
    agree = race_launch(engine, ranks, a.effort()) && agree;
  }
  if (wanted("network", a.benchmarks)) {
    any = true;
    measure_network(ranks);
  }
  for (const std::int64_t size : a.gemm_sizes) {
    if (!wanted("gemm", a.benchmarks)) continue;
    any = true;
    agree = race_gemm(engine, ranks, a.effort(), small ? size / 20 : size, a.gemm_block) && agree;
  }
  if (!any) user_error("no benchmark or no input has such a name");
  return agree ? 0 : 1;
}

/// OpenBLAS looks at the environment when it is loaded, which is before `main` where a peer is linked with it: begins
/// again with the environment in which all contestants have the same OpenBLAS on one thread.
void begin_with_one_blas(char** argv) {
  constexpr const char* threads = "OPENBLAS_NUM_THREADS";
  if (std::getenv(threads) != nullptr) return;
  setenv(threads, "1", 1);
  if (blas_core_type() != nullptr) setenv("OPENBLAS_CORETYPE", blas_core_type(), 0);
  execv("/proc/self/exe", argv);  // where there is no such file, with what there is
}

}  // namespace
}  // namespace lacuna::contest

int main(int argc, char** argv) {
  lacuna::contest::begin_with_one_blas(argv);
  CLI::App app(
      "Statements on the ranks of mpirun, a thread each, beside PETSc, ScaLAPACK and threads. Contestants take turns; "
      "shown are medians, and how many times as fast the first is as each, with its 95 % interval by bootstrap. A "
      "missed goal does not fail; results that disagree exit with 1.",
      "lacuna_bench_distributed");
  lacuna::contest::Arguments arguments;
  lacuna::contest::declare_arguments(app, arguments);
  return lacuna::contest::run_command(app, argc, argv, [&] { return lacuna::contest::run(arguments); });
}
