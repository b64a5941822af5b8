// From a statement to a kernel that can be called: cold, from the disk cache, from memory.

#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "bench/harness.h"
#include "lacuna/engine/engine.h"
#include "lacuna/notation/parse.h"
#include "lacuna/support/environment.h"
#include "lacuna/tensor/generate.h"
#include "tools/summary.h"

namespace lacuna::bench {
namespace {

namespace fs = std::filesystem;

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "lacuna-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw RuntimeFailure("no temporary folder for the benchmark");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Matrix times vector, with a factor that makes each text a statement of its own: nothing of it is cached yet.
Request spmv_request(int factor) {
  const Storage a = build(generate_uniform({100, 100}, 500, 1), csr_format());
  Request request{parse_statement(fmt::format("y(i) = {} * A(i,j) * x(j)", factor)), {}, {}, {}, {}, {}};
  request.operands.emplace("A", a);
  request.operands.emplace("x", generate_dense({100}, 2));
  return request;
}

void print_line(const char* what, double milliseconds, double goal) {
  fmt::print("  {:<32} {:>10}   goal {}\n", what, tool::time_text(milliseconds), tool::time_text(goal));
}

}  // namespace

void bench_latency(int threads) {
  const ScratchFolder folder;
  JitOptions jit = jit_options(read_environment());
  jit.cache_folder = folder.path().string();
  Options options;
  options.target.threads = threads;
  constexpr int rounds = 9;
  std::vector<double> cold;
  std::vector<double> disk;
  std::vector<double> memory;
  for (int k = 0; k <= rounds; ++k) {
    const Request request = spmv_request(k + 2);
    Engine first(jit);
    const double cold_ms = time_of([&] { first.prepare(request, options); });
    const double memory_ms = time_of([&] { first.prepare(request, options); });
    Engine second(jit);
    const double disk_ms = time_of([&] { second.prepare(request, options); });
    if (k == 0) continue;  // the first round loads the compiler itself
    cold.push_back(cold_ms);
    memory.push_back(memory_ms);
    disk.push_back(disk_ms);
  }
  fmt::print("statement to loaded kernel, y(i) = c * A(i,j) * x(j), A in csr\n");
  print_line("cold", tool::median(cold), 80);
  print_line("from the disk cache", tool::median(disk), 2);
  print_line("from memory", tool::median(memory), 0.02);
}

}  // namespace lacuna::bench
