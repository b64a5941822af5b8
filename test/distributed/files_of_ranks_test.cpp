// Files that ranks read together, and what each rank has of them and of results.

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distributed/on_machine.h"
#include "distributed/shared_file.h"
#include "lacuna/api/lacuna.h"
#include "support/message_of.h"

namespace lacuna::files_of_ranks_test {
namespace {

using testing::HasSubstr;

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

PlacedFormat placed(const Format& format, const std::string& where, const std::string& machine = "Grid(3)") {
  return {format, parse_distribution(where, parse_machine(machine)).distribution};
}

/// A matrix file of so many entries, of which one has another digit.
std::string lines_with(char digit, std::size_t rows, std::size_t changed) {
  std::string text = banner + fmt::format("{} {} {}\n", rows, rows, rows);
  for (std::size_t k = 1; k <= rows; ++k) text += fmt::format("{} {} 1.{}\n", k, k, k == changed ? digit : '0');
  return text;
}

/// Files that have the same name on all ranks, but may differ.
class OwnFolder {
 public:
  explicit OwnFolder(const std::string& name) : before_(std::filesystem::current_path()), shared_(name, "") {
    folder_ = shared_.path() + fmt::format(".{}", test_ranks()->rank());
    std::filesystem::create_directory(folder_);
    std::filesystem::current_path(folder_);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() { std::filesystem::current_path(before_); }
  static void write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }

 private:
  std::filesystem::path before_;
  SharedFile shared_;
  std::string folder_;
};

TEST(FilesOfRanks, ThatDifferInOneDigitAnywhereAreNoticed) {
  if (test_ranks()->ranks() == 1) GTEST_SKIP() << "one rank has one file";
  const std::size_t rows = 3000;
  for (const std::size_t changed : {std::size_t{2}, rows / 3, rows / 2, rows - 1}) {
    const OwnFolder folder("files");
    OwnFolder::write("B.mtx", lines_with(test_ranks()->rank() == 1 ? '5' : '0', rows, changed));
    EXPECT_THAT(message_of([&] { Tensor<double>::read("B.mtx", placed(csr_format(), "xy -> x"), *test_ranks()); }),
                HasSubstr("B.mtx with bytes of the hash"))
        << changed;
  }
}

TEST(FilesOfRanks, MayBeOfNumPyAndSciPy) {
  Tensor<double> B("B", {5, 4}, csr_format());
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = i % 2; j < 4; j += 2) B.insert({i, j}, static_cast<double>(10 * i + j + 1));
  for (const char* name : {"B.npz", "B.npy", "B.npz.gz", "B.npy.gz", "B.tns", "B.tns.gz"}) {
    const SharedFile file(name, "");
    const bool dense = std::string(name).find(".npy") != std::string::npos;
    if (test_ranks()->rank() == 0) B.to(dense ? dense_format(2) : csr_format()).write(file.path());
    test_ranks()->gather_all("written");
    for (const Format& format : {csr_format(), dense_format(2)})
      for (const char* where : {"xy -> x", "xy -> y", "xy -> *"})
        EXPECT_TRUE(Tensor<double>::read(file.path(), placed(format, where), *test_ranks()).equals(B)) << name << where;
  }
}

TEST(FilesOfRanks, OfExtendedFrosttSayTheirSizes) {
  const SharedFile file("B.tns", "3 2\n40 50 60\n1 1 1 0.5\n2 3 4 6\n");
  const auto B = Tensor<double>::read(file.path(), placed(csf_format(3), "xyz -> x"), *test_ranks());
  EXPECT_EQ(B.dimensions(), (std::vector<std::int64_t>{40, 50, 60}));
  EXPECT_EQ(B.at({1, 2, 3}), 6);
  const SharedFile few("B.tns", "3 3\n40 50 60\n1 1 1 0.5\n2 3 4 6\n");
  EXPECT_THAT(message_of([&] { Tensor<double>::read(few.path(), placed(csf_format(3), "xyz -> x"), *test_ranks()); }),
              HasSubstr("3 entries are announced, but the file holds 2"));
}

TEST(FilesOfRanks, WithValuesThatTheTypeCannotHoldAreRefused) {
  const SharedFile file("B.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 3 0\n2 1 1 2\n");
  EXPECT_THAT(message_of([&] { Tensor<double>::read(file.path(), placed(csr_format(), "xy -> x"), *test_ranks()); }),
              HasSubstr("the value complex(1,2) at (2,1) has an imaginary part"));
}

TEST(FilesOfRanks, MakeTensorsThatHaveNames) {
  const SharedFile file("web.mtx", lines_with('0', 9, 1));
  const auto B = Tensor<double>::read(file.path(), placed(csr_format(), "xy -> x"), *test_ranks(), "B");
  EXPECT_EQ(B.name(), "B");
  EXPECT_EQ(Tensor<double>::read(file.path(), csr_format(), "C").name(), "C");
  EXPECT_THAT(message_of([&] { Tensor<double>::read(file.path(), csr_format(), "not a name"); }),
              HasSubstr("not a name"));
}

TEST(PartsOfRanks, AreThereWithoutGathering) {
  const std::int64_t n = 9;
  const SharedFile file("B.mtx", lines_with('5', n, 4));
  const auto B = Tensor<double>::read(file.path(), placed(csr_format(), "xy -> x"), *test_ranks(), "B");
  Tensor<double> y("y", {n}, placed(dense_format(1), "x -> x"));
  const IndexVar i("i"), j("j");
  Tensor<double> x({n});
  for (std::int64_t k = 0; k < n; ++k) x.insert({k}, 2.0);
  y(i) = B(i, j) * x(j);
  const auto parts = y.parts(*test_ranks());
  const auto expected = local_parts({n}, placed(dense_format(1), "x -> x"), *test_ranks());
  ASSERT_EQ(parts.size(), expected.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    EXPECT_TRUE(parts[p].coordinates == expected[p]);
    EXPECT_EQ(parts[p].entries.dimensions()[0], expected[p][0].size());
    for (const auto& [at, value] : parts[p].entries)
      EXPECT_EQ(value, parts[p].coordinates[0].number(at[0]) == 3 ? 3.0 : 2.0);
  }
}

/// One rank alone asks: what gathered would wait for the others, or find that they ask for something else.
TEST(PartsOfRanks, AreCountedWithoutGathering) {
  const std::int64_t n = 9;
  const SharedFile file("B.mtx", lines_with('0', n, 1));
  const auto B = Tensor<double>::read(file.path(), placed(csr_format(), "xy -> x"), *test_ranks(), "B");
  if (test_ranks()->rank() == 0) {
    EXPECT_EQ(B.stored(), n);
    EXPECT_FALSE(B.parts(*test_ranks()).empty());
  }
  test_ranks()->gather_all("asked");
}

TEST(PartsOfRanks, AreRefusedOfATensorThatIsNotPlaced) {
  Tensor<double> B("B", {3, 3}, csr_format());
  B.insert({1, 1}, 1);
  EXPECT_THAT(message_of([&] { B.parts(*test_ranks()); }), HasSubstr("B does not lie in parts on these ranks"));
}

}  // namespace
}  // namespace lacuna::files_of_ranks_test
