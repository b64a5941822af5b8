// Files that ranks read by parts: what one process reads, and the same words for what is wrong with them.

#include <filesystem>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "distributed/shared_file.h"
#include "lacuna/distribute/communicate/together.h"
#include "lacuna/distribute/exchange/read.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

DistributedTensor by_parts(const std::string& path, const std::string& placed, const std::string& machine,
                           std::optional<Format> format, std::size_t chunk) {
  std::optional<CoordinateFile> file;
  together(*test_ranks(), {"opening a file"}, [&] { file.emplace(path); });
  PlacedReadOptions options;
  options.format = std::move(format);
  options.chunk_bytes = chunk;
  return read_placed(*file, parse_distribution(placed, parse_machine(machine)).distribution, "B", *test_ranks(),
                     options);
}

/// Reads it both ways, in chunks of several sizes.
void expect_same(const std::string& name, const std::string& text, const std::string& placed,
                 const std::string& machine, const std::optional<Format>& format = {}) {
  const SharedFile file(name, text);
  const FileContents contents = read_file(file.path());
  const Storage expected = build(contents.entries, format.value_or(contents.natural));
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{23}, std::size_t{1} << 20U}) {
    const DistributedTensor tensor = by_parts(file.path(), placed, machine, format, chunk);
    const Storage got = gathered(tensor, *test_ranks(), Recipients::All);
    EXPECT_EQ(tensor.stored(), expected.stored()) << name << " " << placed;
    EXPECT_EQ(tensor.dimensions(), expected.dimensions) << name;
    EXPECT_EQ(got.type, expected.type) << name;
    CompareOptions exactly;
    exactly.same_pattern = true;
    EXPECT_EQ(difference(got, expected, exactly).value_or(""), "")
        << name << " " << placed << " in chunks of " << chunk;
    // Each part is what cutting the whole gives.
    const DistributedTensor cut(expected, parse_distribution(placed, parse_machine(machine)).distribution, "B",
                                *test_ranks());
    ASSERT_EQ(cut.parts().size(), tensor.parts().size());
    for (const auto& [number, part] : cut.parts()) {
      EXPECT_EQ(part.sets, tensor.part(number).sets);
      EXPECT_EQ(difference(part.storage, tensor.part(number).storage, exactly).value_or(""), "")
          << name << " " << placed;
    }
  }
}

/// Entries in no order, some of them twice.
std::string lines(int rows, int columns, int entries, bool below_only = false, const char* value = " {}.5") {
  std::string text;
  std::uint64_t state = 7;
  const auto draw = [&](int below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((state >> 33U) % static_cast<std::uint64_t>(below)) + 1;
  };
  for (int e = 0; e < entries; ++e) {
    int i = draw(rows), j = draw(columns);
    if (below_only && i < j) std::swap(i, j);
    text += fmt::format("{} {}", i, j) + fmt::format(fmt::runtime(value), e) + "\n";
    if (e % 7 == 3) text += "% between\n\n";
  }
  return text;
}

std::string matrix(const std::string& kind, const std::string& sizes, const std::string& body) {
  return "%%MatrixMarket matrix coordinate " + kind + "\n% made up\n" + sizes + "\n" + body;
}

TEST(ReadPlaced, GivesWhatOneReaderDoes) {
  const std::string general = matrix("real general", "17 13 60", lines(17, 13, 60));
  for (const char* placed : {"xy -> x", "xy -> y", "xy -> *", "xy -> 1", "xy -> x%2", "xy -> ~x", "xy -> ~(xy)"})
    expect_same("B.mtx", general, placed, "Grid(3)");
  expect_same("B.mtx", general, "xy -> xy", "Grid(2,3)");
  expect_same("B.mtx", general, "xy -> y%2 x", "Grid(2,2)");
  expect_same("B.mtx", general, "xy -> x; zw -> w", "Grid(2),Grid(2)");
  for (const char* format : {"csc", "dcsr", "coo", "bitmap", "hashed", "dense"})
    expect_same("B.mtx", general, "xy -> xy", "Grid(2,2)", parse_format(format, 2));
  std::string without_end = general;
  without_end.pop_back();
  expect_same("B.mtx", without_end, "xy -> x", "Grid(3)");
  expect_same("B.mtx", matrix("real general", "17 13 0", ""), "xy -> x", "Grid(3)");
}

TEST(ReadPlaced, ExpandsSymmetricHalves) {
  expect_same("B.mtx", matrix("real symmetric", "15 15 40", lines(15, 15, 40, true)), "xy -> x", "Grid(4)");
  expect_same("B.mtx", matrix("integer symmetric", "15 15 40", lines(15, 15, 40, true, " {}")), "xy -> xy",
              "Grid(2,2)");
  expect_same("B.mtx", matrix("pattern symmetric", "15 15 40", lines(15, 15, 40, true, "")), "xy -> y", "Grid(3)");
  expect_same("B.mtx", matrix("complex hermitian", "3 3 2", "2 1 1 2\n3 3 1 0\n"), "xy -> x", "Grid(2)");
  expect_same("B.mtx", matrix("real skew-symmetric", "3 3 2", "2 1 1\n3 2 4\n"), "xy -> x", "Grid(2)");
  // One triangle each, but no entry with its mirror.
  expect_same("B.mtx", matrix("real symmetric", "4 4 3", "2 1 1\n1 3 4\n4 4 2\n"), "xy -> x", "Grid(2)");
}

TEST(ReadPlaced, FindsDimensions) {
  std::string text = "# a tensor\n";
  for (int e = 0; e < 30; ++e) text += fmt::format("{} {} {} {}\n", e % 7 + 1, e % 5 + 1, e % 4 + 1, e + 0.25);
  for (const char* placed : {"xyz -> x", "xyz -> z", "xyz -> ~(xy)", "xyz -> *"})
    expect_same("B.tns", text, placed, "Grid(3)");
  expect_same("b.tns", "5 1\n9 2\n1 3\n", "x -> x", "Grid(4)");
  expect_same("b.tns", "3000000000 1\n9 2\n1 3\n", "x -> x", "Grid(2)", csf_format(1));
}

/// As one reader says it; the first mistake of the file, whoever finds it, and whoever finds another one.
TEST(ReadPlaced, SaysWhatIsWrongAsOneReaderDoes) {
  const std::string good = lines(9, 9, 30);
  std::vector<std::string> wrong;
  for (const char* line : {"1 x 2\n", "0 1 2\n", "10 1 2\n", "1 2\n", "1 2 3 4\n", "1 2 nothing\n"})
    for (const std::size_t at : {std::size_t{0}, std::size_t{200}, good.size()}) {
      const std::size_t begin = at == 0 ? 0 : good.rfind('\n', at - 1) + 1;
      std::string body = good;
      body.insert(begin, line);
      wrong.push_back(matrix("real general", "9 9 31", body));
      body += "2 2 also wrong\n";
      wrong.push_back(matrix("real general", "9 9 32", body));
    }
  wrong.push_back(matrix("real general", "9 9 31", good));
  wrong.push_back(matrix("real general", "9 9 7", good));
  wrong.push_back(matrix("real symmetric", "9 9 4", "2 1 1\n5 5 1\n3 4 2\n4 3 2\n"));
  wrong.push_back(matrix("real symmetric", "9 9 5", "2 1 1\n4 3 2\n1 2 5\n3 4 2\n9 9 9\n"));
  wrong.push_back(matrix("real skew-symmetric", "9 9 2", "2 1 1\n4 4 2\n"));
  for (const std::string& text : wrong) {
    const SharedFile file("B.mtx", text);
    std::string expected, got = "nothing";
    try {
      read_file(file.path());
    } catch (const Error& e) {
      expected = describe_with_caret(e);
    }
    ASSERT_NE(expected, "");
    for (const std::size_t chunk : {std::size_t{31}, std::size_t{1} << 20U}) {
      try {
        by_parts(file.path(), "xy -> x", "Grid(3)", {}, chunk);
      } catch (const Error& e) {
        got = describe_with_caret(e);
      }
      EXPECT_EQ(got, expected) << text;
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // which keeps memory that was given back
/// A line of /proc/self/status, in bytes.
std::int64_t memory_of_this_process(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(what + ":")) return std::stoll(line.substr(what.size() + 1)) * 1024;
  return 0;
}

/// A matrix of sorted entries, written row by row: who writes it keeps none of it.
void write_large(std::ostream& file, std::int64_t rows, std::int64_t a_row) {
  file << matrix("real general", fmt::format("{0} {0} {1}", rows, rows * a_row), "");
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < a_row; ++k)
      file << i + 1 << ' ' << i * 7919 % (rows - 50 * a_row) + 50 * k + 1 << ' ' << k << ".5\n";
}

/// Nobody ever has much more than a part: reading, planning and computing take far less than the tensor does in whole.
TEST(ReadPlaced, NobodyHoldsAllOfIt) {
  if (test_ranks()->ranks() < 4) GTEST_SKIP() << "on fewer than four ranks, parts are large";
  if (test_ranks()->ranks() > 9) GTEST_SKIP() << "what MPI takes to talk to so many is more than parts of this file";
  const std::int64_t rows = 160000, a_row = 20;
  const SharedFile file("B.mtx", [&](std::ostream& to) { write_large(to, rows, a_row); });
  const std::int64_t whole = rows * a_row * (4 + 4 + 8);  // coo
  const Machine machine{Grid(test_ranks()->ranks())};
  Request request =
      random_request("y(i) = B(i,j) * x(j)", {{"B", {"coo", 0}}, {"x", {"dense", -1}}}, {{"i", rows}, {"j", rows}});
  Engine engine(JitOptions{"cc", default_c_flags(), "", ""});
  std::ofstream("/proc/self/clear_refs") << "5";  // the most begins anew
  const std::int64_t before = memory_of_this_process("VmHWM");
  CoordinateFile opened(file.path());
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
  const std::int64_t most = memory_of_this_process("VmHWM") - before;
  EXPECT_GT(most, whole / test_ranks()->ranks() / 2);  // else nothing was measured
  EXPECT_LT(most, whole * 6 / 10);
  EXPECT_EQ(y.dimensions()[0], rows);
}
#endif

TEST(ReadPlaced, SomeFilesHaveOneReader) {
  const SharedFile array("B.mtx", "%%MatrixMarket matrix array real general\n1 1\n5\n");
  EXPECT_THAT(CoordinateFile::reason_against(array.path()).value_or(""), testing::HasSubstr("array"));
  const SharedFile shared("B.tns", "1 1\n");
  EXPECT_EQ(CoordinateFile::reason_against(shared.path()), std::nullopt);
}

}  // namespace
}  // namespace lacuna
