// Files that ranks write together: there when any rank goes on, or refused by all.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/on_machine.h"
#include "distributed/shared_file.h"
#include "lacuna/api/lacuna.h"
#include "lacuna/distribute/tensors/write.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/generate.h"

namespace lacuna::written_file_test {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr std::int64_t n = 12;

PlacedFormat placed(const Format& format, const std::string& where) {
  return {format, parse_distribution(where, parse_machine("Grid(3)")).distribution};
}

/// Entry (i, i), which rank i modulo the number of ranks gives.
Tensor<double> diagonal(const PlacedFormat& format, double value) {
  Tensor<double> B("B", {n, n}, format);
  for (std::int64_t i = test_ranks()->rank(); i < n; i += test_ranks()->ranks()) B.insert({i, i}, value);
  B.contribute(*test_ranks());
  return B;
}

/// Any of them: how it ends on each rank, "no error" where it does not fail.
template <typename Action>
std::vector<std::string> ends_of_all(const Action& action) {
  std::string mine = "no error";
  try {
    action();
  } catch (const Error& error) {
    mine = std::string("mistake: ") + error.what();
  } catch (const RuntimeFailure& failure) {
    mine = std::string("failure: ") + failure.what();
  }
  return test_ranks()->gather_all(mine);
}

/// A file of the same name that leads to a device that is always full.
class FullDisk {
 public:
  explicit FullDisk(const std::string& name) : folder_(name, "") {
    const std::string path = folder_.path();
    if (test_ranks()->rank() == 0) {
      std::filesystem::remove(path);
      std::filesystem::create_symlink("/dev/full", path);
    }
    test_ranks()->gather_all("made");
  }
  const std::string& path() const { return folder_.path(); }

 private:
  SharedFile folder_;
};

TEST(WrittenFile, IsReadAsWrittenByWhoReadsItNext) {
  for (const char* ending : {".mtx", ".tns", ".rb"}) {
    const SharedFile file(std::string("B") + ending, "");
    for (int k = 1; k <= 20; ++k) {
      diagonal(placed(csr_format(), "xy -> x"), k).write(file.path(), *test_ranks());
      const auto here = Tensor<double>::read(file.path());  // not collective: no rank waits for another one
      EXPECT_EQ(here.at({n - 1, n - 1}), k) << ending;
    }
  }
}

TEST(WrittenFile, IsReadAsWrittenByAllRanksTogether) {
  const PlacedFormat rows = placed(csr_format(), "xy -> x");
  const SharedFile file("B.mtx", "");
  for (int k = 1; k <= 20; ++k) {
    diagonal(rows, k).write(file.path(), *test_ranks());
    const auto B = Tensor<double>::read(file.path(), rows, *test_ranks());
    EXPECT_EQ(B.at({0, 0}), k);
  }
}

TEST(WrittenFile, OfWhatEachRankHasIsThereForAll) {
  const SharedFile file("B.mtx", "");
  for (int k = 1; k <= 20; ++k) {
    Tensor<double> B("B", {n, n}, csr_format());
    B.insert({1, 2}, k);
    B.write(file.path(), *test_ranks());
    EXPECT_EQ(Tensor<double>::read(file.path()).at({1, 2}), k);
  }
}

TEST(WrittenFile, ThatCannotBeMadeIsRefusedByAll) {
  const std::string message = "/nowhere/B";
  for (const Format& format : {csr_format(), dense_format(2)})
    for (const char* ending : {".mtx", ".rb"}) {
      const auto B = diagonal(placed(format, "xy -> x"), 1);
      const std::vector<std::string> ends = ends_of_all([&] { B.write(message + ending, *test_ranks()); });
      EXPECT_THAT(ends.front(), HasSubstr(message + ending));
      EXPECT_THAT(ends, Each(ends.front()));
    }
}

/// Blocks of other ranks are still on their way then.
TEST(WrittenFile, OnAFullDiskFailsOnAllRanks) {
  constexpr std::int64_t rows = 1000;
  const Storage whole = build(generate_uniform({rows, rows}, 100 * rows, 1), csr_format());
  for (const Storage& tensor : {whole, convert(whole, dense_format(2))})
    for (const char* name : {"B.mtx", "B.rb", "B.mtx.gz"}) {
      const FullDisk disk(name);
      const Distribution rows_of = parse_distribution("xy -> x", parse_machine("Grid(3)")).distribution;
      const DistributedTensor parts{tensor, rows_of, "B", *test_ranks()};
      const std::vector<std::string> ends = ends_of_all([&] { write_placed(parts, disk.path(), "B", *test_ranks()); });
      EXPECT_THAT(ends.front(), HasSubstr("failure: "));
      EXPECT_THAT(ends.front(), HasSubstr("No space left on device"));
      EXPECT_THAT(ends, Each(ends.front()));
    }
}

}  // namespace
}  // namespace lacuna::written_file_test
