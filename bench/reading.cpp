// A Matrix Market file into memory, beside the loop over fscanf that most programs have.

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "bench/harness.h"
#include "lacuna/io/io.h"
#include "lacuna/tensor/generate.h"
#include "tools/summary.h"

namespace lacuna::bench {
namespace {

std::int64_t read_by_fscanf(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "r"), std::fclose);
  if (!file) throw RuntimeFailure("cannot read " + path);
  char banner[256];
  if (std::fgets(banner, sizeof banner, file.get()) == nullptr) throw RuntimeFailure("no banner in " + path);
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t count = 0;
  if (std::fscanf(file.get(), "%" SCNd64 " %" SCNd64 " %" SCNd64, &rows, &columns, &count) != 3) return 0;
  std::vector<int> row(static_cast<std::size_t>(count));
  std::vector<int> column(static_cast<std::size_t>(count));
  std::vector<double> value(static_cast<std::size_t>(count));
  std::int64_t read = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (std::fscanf(file.get(), "%d %d %lg", &row[k], &column[k], &value[k]) == 3) ++read;
  }
  return read;
}

}  // namespace

void bench_reading(int threads) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("lacuna-bench-{}.mtx", getpid());
  write_file(path.string(), build(generate_rmat(200'000, 200'000, 2'000'000, 1), csr_format()));
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  ReadOptions options;
  options.threads = threads;
  const std::vector<double> medians =
      alternate({{"lacuna", [&] { return time_of([&] { read_file(path.string(), options); }); }},
                 {"fscanf", [&] { return time_of([&] { read_by_fscanf(path.string()); }); }}},
                3);
  std::filesystem::remove(path);
  fmt::print("reading a Matrix Market file of {:.0f} MB\n", megabytes);
  fmt::print("  {:<32} {:>10}   {:.0f} MB/s\n", fmt::format("lacuna on {} threads", threads),
             tool::time_text(medians[0]), megabytes / medians[0] * 1e3);
  fmt::print("  {:<32} {:>10}   {:.0f} MB/s, {:.1f} times as long (goal: 20 on two threads)\n", "a loop over fscanf",
             tool::time_text(medians[1]), megabytes / medians[1] * 1e3, medians[1] / medians[0]);
}

}  // namespace lacuna::bench
