// Lacuna's kernels on a GPU beside cuSPARSE, with operands on the device, now.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/contest/agree.h"
#include "bench/contest/command.h"
#include "bench/gpu/cusparse.h"
#include "bench/kernels/kernel.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/support/environment.h"
#include "tools/summary.h"

namespace lacuna::contest {
namespace {

struct Arguments {
  std::vector<std::string> kernels;
  std::vector<std::string> inputs;
  bool small = false;
  double seconds = 3;
  std::string matrices;
  std::string library;
};

void declare_all(CLI::App& app, Arguments& a) {
  app.add_option("--kernel", a.kernels, "only kernels whose name contains one of these")->delimiter(',');
  app.add_option("--input", a.inputs, "only inputs whose name contains one of these")->delimiter(',');
  app.add_flag("--small", a.small, "everything a twentieth as large, for a quick check");
  app.add_option("--seconds", a.seconds, "how long the contestants of a problem take turns; 0: once")
      ->capture_default_str();
  app.add_option("--matrices", a.matrices, "a folder of .mtx files to run on, too")->check(CLI::ExistingDirectory);
  app.add_option("--library", a.library, "instead of CUDA: a library that stands in for it");
}

double ms_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// Who computes a problem: how long a run takes on the device alone, in milliseconds, and the result.
struct DeviceContestant {
  std::string name;
  std::function<double()> run;
  std::function<Storage()> result;
};

/// Bytes a second that a copy on the device reads and writes.
double copy_bandwidth(Device& device, std::int64_t bytes) {
  void* from = device.allocate(bytes, true);
  void* to = device.allocate(bytes, true);
  if (from == nullptr || to == nullptr) throw RuntimeFailure("the device has no memory to measure its bandwidth");
  double best = 0;
  for (int run = 0; run < 9; ++run) {
    device.wait();
    const double ms = ms_of([&] {
      device.copy(from, to, bytes);
      device.wait();
    });
    best = std::max(best, 2e3 * static_cast<double>(bytes) / ms);
  }
  device.release(from);
  device.release(to);
  return best;
}

bool runs_on_devices(Operation operation) {
  switch (operation) {
    case Operation::SpmvSparse:
    case Operation::MultiplyVectors:
    case Operation::SortedToRows:
    case Operation::ShuffledToRows:
    case Operation::RowsToColumns:
    case Operation::RowsToSparseRows:
    case Operation::SortedToTree: return false;
    default: return true;
  }
}

class Races {
 public:
  explicit Races(const Arguments& a)
      : a_(a),
        device_(open_cuda(0, a.library.empty() ? CudaLibraries() : CudaLibraries{{a.library}, {a.library}})),
        inputs_(a.small ? 20 : 1, a.matrices),
        engine_(jit_options(read_environment())) {
    std::string missing = "it is not looked for beside a stand-in";
    if (a.library.empty()) cusparse_ = Cusparse::open(missing);
    bandwidth_ = copy_bandwidth(*device_, a.small ? 1 << 24 : 1 << 29);
    fmt::print("{}: a copy reads and writes {:.0f} GB/s\n", device_->name(), bandwidth_ / 1e9);
    if (cusparse_ == nullptr) fmt::print("without cuSPARSE: {}\n", missing);
  }

  /// Whether all results were right.
  bool run(const Kernel& kernel) {
    bool right = true;
    for (const std::string& input : kernel.inputs(inputs_)) {
      if (!wanted(input, a_.inputs)) continue;
      const Problem problem = kernel.make(inputs_, input);
      if (!runs_on_devices(problem.operation)) return true;
      right = race(kernel.name, problem) && right;
    }
    return right;
  }

 private:
  bool race(const std::string& kernel, const Problem& problem) {
    fmt::print("\n{} on {}\n", kernel, problem.input);
    const Storage expected = engine_.run(problem.request);
    bool right = true;
    std::vector<DeviceContestant> sound;
    for (DeviceContestant& each : line_up(problem)) {
      try {
        each.run();
        if (const auto found = disagreement(expected, each.result())) {
          fmt::print("  {:<28} WRONG: {}\n", each.name, *found);
          right = false;
          continue;
        }
        sound.push_back(std::move(each));
      } catch (const std::exception& error) {
        fmt::print("  {:<28} failed: {}\n", each.name, error.what());
        right = right && each.name != "Lacuna";
      }
    }
    show(sound, problem.bytes);
    return right;
  }

  void show(const std::vector<DeviceContestant>& all, double bytes) {
    std::vector<std::vector<double>> times(all.size());
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < 101; ++round) {
      for (std::size_t k = 0; k < all.size(); ++k) times[k].push_back(all[k].run());
      if (std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(a_.seconds)) break;
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double ms = tool::median(times[k]);
      fmt::print("  {:<28} {:>9.3f} ms  {:>4.0f} % of a copy's bandwidth", all[k].name, ms,
                 100 * bytes / (ms * 1e-3) / bandwidth_);
      if (k > 0) fmt::print("  Lacuna is {:.2f} times as fast", ms / tool::median(times[0]));
      fmt::print("\n");
    }
    std::fflush(stdout);
  }

  std::vector<DeviceContestant> line_up(const Problem& problem) {
    std::vector<DeviceContestant> all{lacuna("Lacuna", problem, "")};
    if (problem.operation == Operation::Spmv) {
      all.push_back(lacuna("Lacuna, a row a thread", problem, "parallelize(i,GPUThread)"));
      all.push_back(
          lacuna("Lacuna, a row a warp", problem, "parallelize(i,GPUWarp), parallelize(j,GPUThread,Temporary)"));
      all.push_back(lacuna("Lacuna, equal non-zeros", problem,
                           "fuse(i,j,f), pos(f,p,A), split(p,share,nz,8), parallelize(share,GPUThread,Atomics)"));
    }
    if (problem.operation == Operation::Spmm)
      all.push_back(lacuna("Lacuna, a row a thread", problem, "reorder(i,j,k), parallelize(i,GPUThread)"));
    if (cusparse_ == nullptr) return all;
    const bool is_vector = problem.operation == Operation::Spmv;
    for (const int algorithm : is_vector ? std::vector<int>{0, 2, 3} : std::vector<int>{0, 4, 6, 12}) {
      std::shared_ptr<CusparseProduct> product = cusparse_->product(problem, *device_, algorithm);
      if (product == nullptr) break;
      all.push_back({fmt::format("cuSPARSE, algorithm {}", algorithm),
                     [product] { return ms_of([&] { product->run(); }); }, [product] { return product->result(); }});
    }
    return all;
  }

  DeviceContestant lacuna(const std::string& name, const Problem& problem, const std::string& schedule) {
    Request request = problem.request;
    request.schedule = parse_schedule(schedule);
    Options options;
    options.target.device = device_->language();
    options.target.on = device_;
    auto prepared = std::make_shared<Prepared>(engine_.prepare(request, options));
    auto last = std::make_shared<Storage>();
    return {name,
            [prepared, last] {
              Report report;
              *last = prepared->run(&report);
              return report.kernel_ms;
            },
            [last] { return *last; }};
  }

  const Arguments& a_;
  std::shared_ptr<Device> device_;
  std::shared_ptr<Cusparse> cusparse_;
  double bandwidth_ = 0;
  Inputs inputs_;
  Engine engine_;
};

int run(const Arguments& a) {
  Races races(a);
  bool right = true;
  for (const Kernel& kernel : all_kernels())
    if (wanted(kernel.name, a.kernels)) right = races.run(kernel) && right;
  return right ? 0 : 1;
}

}  // namespace
}  // namespace lacuna::contest

int main(int argc, char** argv) {
  CLI::App app(
      "Lacuna's kernels on the first GPU, beside cuSPARSE where it is. Operands are on the device, and results stay "
      "there while it is measured. Contestants take turns; shown are medians. Results that disagree exit with 1.",
      "lacuna_bench_gpu");
  lacuna::contest::Arguments arguments;
  lacuna::contest::declare_all(app, arguments);
  return lacuna::contest::run_command(app, argc, argv, [&] { return lacuna::contest::run(arguments); });
}
