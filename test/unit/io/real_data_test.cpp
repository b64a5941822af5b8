// Reads real matrices and tensors where there are some: see LACUNA_TEST_DATA in the CMakeLists.txt here.

#include <cstdlib>
#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/compare.h"
#include "unit/io/io_testing.h"

namespace lacuna::real_data_test {
namespace {

using ::testing::HasSubstr;

// Files among the good ones that are not: two count from 0, one holds 32 values for an array of 24.
const std::map<std::string, std::string> irregular = {
    {"c32.mtx", ":10: the row is 0, but coordinates start at 1"},
    {"small4_zeroidx.tns", ":2: coordinate 4 is 0, but coordinates start at 1"},
    {"d432.ttx", ":28: more entries than the 24 announced"},
};

class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* from_environment = std::getenv("LACUNA_TEST_DATA");
    folder_ = from_environment != nullptr ? from_environment : LACUNA_TEST_DATA;
    if (folder_.empty() || !std::filesystem::is_directory(folder_)) {
      GTEST_SKIP() << "there are no real data: name their folder with the environment variable LACUNA_TEST_DATA";
    }
  }
  std::vector<std::string> files(const char* kind) const {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / kind))
      paths.push_back(entry.path().string());
    EXPECT_FALSE(paths.empty());
    return paths;
  }
  FileContents read(const char* file) const { return read_file((folder_ / file).string()); }
  /// The expected refusal of a file; empty for one that must be read.
  static std::string expected_refusal(const std::string& path) {
    const auto found = irregular.find(std::filesystem::path(path).filename().string());
    return found == irregular.end() ? "" : found->second;
  }

  std::filesystem::path folder_;
};

TEST_F(RealData, EveryMatrixAndTensorIsReadTheSameByOneAndTwoThreads) {
  for (const char* kind : {"matrices", "tensors"}) {
    for (const std::string& path : files(kind)) {
      if (!expected_refusal(path).empty()) continue;
      ReadOptions two;
      two.threads = 2;
      const FileContents file = read_file(path);
      EXPECT_GT(file.entries.size(), 0) << path;
      EXPECT_EQ(entries_of(file.entries), entries_of(read_file(path, two).entries)) << path;
    }
  }
}

TEST_F(RealData, EveryMatrixAndTensorSurvivesBeingWritten) {
  const TemporaryFolder folder;
  for (const char* kind : {"matrices", "tensors"}) {
    for (const std::string& path : files(kind)) {
      if (!expected_refusal(path).empty()) continue;
      const FileContents file = read_file(path);
      const Storage tensor = build(file.entries, file.natural);
      std::vector<std::string> endings = {".ttx"};
      if (tensor.order() == 2) endings.insert(endings.end(), {".mtx", ".rb"});
      if (!is_complex(tensor.type)) endings.push_back(".tns");
      for (const std::string& ending : endings) {
        write_file(folder / ("a" + ending), tensor);
        ReadOptions options;
        options.dimensions = tensor.dimensions;
        const FileContents again = read_file(folder / ("a" + ending), options);
        CompareOptions exact;
        exact.relative = 0;
        EXPECT_EQ(difference(tensor, build(again.entries, again.natural), exact).value_or(""), "") << path << ending;
      }
    }
  }
}

TEST_F(RealData, EveryMalformedFileIsRefused) {
  for (const std::string& path : files("malformed")) EXPECT_THROW(read_file(path), Error) << path;
}

TEST_F(RealData, IrregularFilesAreRefusedWithTheReason) {
  for (const char* kind : {"matrices", "tensors"}) {
    for (const std::string& path : files(kind)) {
      if (expected_refusal(path).empty()) continue;
      try {
        read_file(path);
        ADD_FAILURE() << path;
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(expected_refusal(path)));
      }
    }
  }
}

TEST_F(RealData, KnownFactsHold) {
  EXPECT_EQ(read("matrices/bcsstk13.mtx").entries.size(), 83883);
  EXPECT_EQ(read("matrices/karate.mtx").entries.size(), 156);
  EXPECT_EQ(read("matrices/young1c.mtx").entries.values.type(), Type::Complex128);
  EXPECT_EQ(read("matrices/full_symmetric.mtx").entries.size(), 16);
  const FileContents boeing = read("matrices/rua_32.rb");
  const FileContents market = read("matrices/rua_32.mtx");
  EXPECT_EQ(difference(build(boeing.entries, csr_format()), build(market.entries, csr_format())).value_or(""), "");
  const FileContents jumbled = read("matrices/west0067_jumbled.mtx");
  EXPECT_EQ(difference(build(jumbled.entries, csr_format()), build(read("matrices/west0067.mtx").entries, csr_format()))
                .value_or(""),
            "");
}

}  // namespace
}  // namespace lacuna::real_data_test
