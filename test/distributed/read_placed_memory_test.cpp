// Files that ranks read by parts: nobody has much more of them than a part.

#include <functional>
#include <ostream>
#include <sstream>
#include <string_view>

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/matrix_text.h"
#include "distributed/memory_of_rank.h"
#include "distributed/on_machine.h"
#include "distributed/shared_file.h"
#include "lacuna/distribute/tensors/read.h"
#include "lacuna/io/gzip.h"

namespace lacuna::read_placed_memory_test {
namespace {

#if !defined(__SANITIZE_ADDRESS__)  // which keeps memory that was given back
using Sink = std::function<void(std::string_view)>;

/// A matrix of sorted entries, written row by row: who writes it keeps none of it.
void write_large(const Sink& write, std::int64_t rows, std::int64_t a_row) {
  write(matrix("real general", fmt::format("{0} {0} {1}", rows, rows * a_row), ""));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < a_row; ++k)
      write(fmt::format("{} {} {}.5\n", i + 1, i * 7919 % (rows - 50 * a_row) + 50 * k + 1, k));
}
void write_large_array(const Sink& write, std::int64_t rows, std::int64_t columns) {
  write(array("matrix array real general", fmt::format("{} {}", rows, columns), ""));
  for (std::int64_t n = 0; n < rows * columns; ++n) write(fmt::format("{}.25\n", n));
}
void write_zipped(std::ostream& file, const std::function<void(const Sink&)>& write) {
  GzipCompressor compressor([&](std::string_view piece) { file << piece; });
  write([&](std::string_view piece) { compressor.append(piece); });
  compressor.finish();
}

/// Nobody ever has much more than a part: reading, planning and computing take far less than the tensor does in whole.
TEST(ReadPlacedMemory, NobodyHoldsAllOfIt) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  const std::int64_t rows = 320000, a_row = 20;
  const SharedFile file(
      "B.mtx", [&](std::ostream& to) { write_large([&](std::string_view piece) { to << piece; }, rows, a_row); });
  const std::int64_t whole = rows * a_row * (4 + 4 + 8);  // coo
  const Machine machine{Grid(test_ranks()->ranks())};
  Request request =
      random_request("y(i) = B(i,j) * x(j)", {{"B", {"coo", 0}}, {"x", {"dense", -1}}}, {{"i", rows}, {"j", rows}});
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  const std::int64_t most = most_memory_of([&] {
    EntryFile opened(file.path());
    PlacedReadOptions options;
    options.format = coo_format(2);
    DistributedRequest distributed =
        on_machine(std::move(request), machine.to_string(), {{"y", "x -> x"}, {"x", "x -> x"}}, "");
    const Distribution by_rows = parse_distribution("xy -> x", machine).distribution;
    distributed.request.operands.erase("B");
    distributed.held.emplace(
        "B", std::make_shared<DistributedTensor>(read_placed(opened, by_rows, "B", *test_ranks(), options)));
    EXPECT_EQ(distributed.held.at("B")->stored(), rows * a_row);
    const DistributedTensor y = run_distributed(engine, distributed, *test_ranks());
    EXPECT_EQ(y.dimensions()[0], rows);
  });
  EXPECT_GT(most, whole / test_ranks()->ranks() / 2);  // else nothing was measured
  EXPECT_LT(static_cast<double>(most), most_for_a_part(whole));
}

/// The same of reading a file, which takes so many bytes in whole: nobody ever has as much as the limit.
void expect_nobody_holds(const SharedFile& file, const std::optional<Format>& format, std::int64_t stored,
                         std::int64_t whole, double limit, const char* placed = "xy -> x") {
  const Machine machine{Grid(test_ranks()->ranks())};
  const std::int64_t most = most_memory_of([&] {
    EntryFile opened(file.path());
    PlacedReadOptions options;
    options.format = format;
    const DistributedTensor tensor =
        read_placed(opened, parse_distribution(placed, machine).distribution, "B", *test_ranks(), options);
    EXPECT_EQ(tensor.stored(), stored);
  });
  const std::string what = fmt::format("{} as {}", file.path(), format ? format->to_string() : "what it is");
  EXPECT_GT(most, whole / test_ranks()->ranks() / 2) << what;
  EXPECT_LT(static_cast<double>(most), limit) << what;
}

/// Rows of very different lengths, the longest first: equal numbers of entries are very different numbers of rows.
void write_skewed(std::ostream& to, std::int64_t rows, std::int64_t entries) {
  to << matrix("real general", fmt::format("{0} {0} {1}", rows, entries), "");
  std::int64_t left = entries;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t here = i + 1 == rows ? left : std::min(left, std::min(rows, entries / 8 / (i + 1) + 1));
    for (std::int64_t k = 0; k < here; ++k) to << fmt::format("{} {} {}.5\n", i + 1, k * (rows / here) + 1, k % 10);
    left -= here;
  }
}

TEST(ReadPlacedMemory, NobodyHoldsAllOfWhatIsPlacedByCounts) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  const std::int64_t rows = 1000000, entries = 6400000, whole = entries * (4 + 4 + 8);
  const SharedFile file("B.mtx", [&](std::ostream& to) { write_skewed(to, rows, entries); });
  expect_nobody_holds(file, coo_format(2), entries, whole, most_for_a_part(whole, 0.9, 3), "xy -> ~(xy)");
}

TEST(ReadPlacedMemory, NobodyHoldsAllOfACompressedFile) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  const std::int64_t rows = 160000, a_row = 20;
  const SharedFile file("B.mtx.gz", [&](std::ostream& to) {
    write_zipped(to, [&](const Sink& write) { write_large(write, rows, a_row); });
  });
  const std::int64_t whole = rows * a_row * (4 + 4 + 8);
  expect_nobody_holds(file, coo_format(2), rows * a_row, whole, most_for_a_part(whole, 0.65));
}

/// As many entries in each column, sorted, two numbers a line.
void write_large_sections(std::ostream& file, std::int64_t columns, std::int64_t a_column) {
  const std::int64_t entries = columns * a_column;
  file << fmt::format("a title\n{} {} {} {}\nrua {} {} {} 0\n(1I9) (2I9) (2F9.1)\n", columns + 1 + entries, columns + 1,
                      entries / 2, entries / 2, columns, columns, entries);
  for (std::int64_t c = 0; c <= columns; ++c) file << fmt::format("{:9}\n", c * a_column + 1);
  for (std::int64_t e = 0; e < entries; ++e)
    file << fmt::format("{:9}{}", e / a_column * 7919 % (columns - 50 * a_column) + e % a_column * 50 + 1,
                        e % 2 == 0 ? "" : "\n");
  for (std::int64_t e = 0; e < entries; ++e) file << fmt::format("{:>9}{}", "2.5", e % 2 == 0 ? "" : "\n");
}

TEST(ReadPlacedMemory, NobodyHoldsAllOfAFileInSections) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  const std::int64_t columns = 160000, a_column = 20, entries = columns * a_column, whole = entries * (4 + 4 + 8);
  const SharedFile file("B.rb", [&](std::ostream& to) { write_large_sections(to, columns, a_column); });
  expect_nobody_holds(file, parse_format("coo:1,0", 2), entries, whole, most_for_a_part(whole), "xy -> y");
  const SharedFile compressed("B.rb.gz", [&](std::ostream& to) {
    write_zipped(to, [&](const Sink& write) {
      std::ostringstream text;
      write_large_sections(text, columns, a_column);
      write(text.str());
    });
  });
  expect_nobody_holds(compressed, parse_format("coo:1,0", 2), entries, whole, most_for_a_part(whole), "xy -> y");
}

TEST(ReadPlacedMemory, NobodyHoldsAllOfAnArray) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  const std::int64_t rows = 4000, columns = 1500, size = rows * columns;
  const SharedFile file("B.mtx", [&](std::ostream& to) {
    write_large_array([&](std::string_view piece) { to << piece; }, rows, columns);
  });
  expect_nobody_holds(file, {}, size, size * 8, most_for_a_part(size * 8));
  const SharedFile compressed("B.mtx.gz", [&](std::ostream& to) {
    write_zipped(to, [&](const Sink& write) { write_large_array(write, rows, columns); });
  });
  expect_nobody_holds(compressed, {}, size, size * 8, most_for_a_part(size * 8));
}

/// Files are often written column by column, and read into rows.
TEST(ReadPlacedMemory, NobodyHoldsAllOfAFileOfUnsortedEntries) {
  if (!are_parts_small()) GTEST_SKIP() << not_small;
  const std::int64_t columns = 320000, a_column = 20;
  const SharedFile file("B.mtx", [&](std::ostream& to) {
    to << matrix("real general", fmt::format("{0} {0} {1}", columns, columns * a_column), "");
    for (std::int64_t j = 0; j < columns; ++j)
      for (std::int64_t k = 0; k < a_column; ++k)
        to << fmt::format("{} {} {}.5\n", j * 7919 % (columns - 50 * a_column) + 50 * k + 1, j + 1, k);
  });
  const std::int64_t stored = columns * a_column, whole = stored * (4 + 4 + 8);
  for (const Format& format : {coo_format(2), csr_format(), parse_format("dcsr", 2)})
    expect_nobody_holds(file, format, stored, whole, most_for_a_part(whole));
}
#endif

}  // namespace
}  // namespace lacuna::read_placed_memory_test
