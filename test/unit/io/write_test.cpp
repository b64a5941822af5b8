#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

#include "lacuna/io/atomic_write.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "unit/io/io_testing.h"

namespace lacuna::write_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Storage small_matrix(const Format& format = csr_format()) {
  return build(read_mtx("%%MatrixMarket matrix coordinate real general\n2 3 3\n2 1 0.1\n1 3 -2\n1 1 inf\n").entries,
               format);
}

std::string written(const std::string& name, const Storage& tensor) {
  const TemporaryFolder folder;
  write_file(folder / name, tensor);
  return file_text(folder / name);
}

std::string write_refusal(const std::string& name, const Storage& tensor) {
  const TemporaryFolder folder;
  try {
    write_file(folder / name, tensor);
  } catch (const Error& error) {
    EXPECT_THAT(folder.files(), IsEmpty());
    return error.what();
  }
  return "was written";
}

TEST(WriteFile, SparseMatricesAreCoordinateFilesSortedByRow) {
  EXPECT_EQ(written("a.mtx", small_matrix(csc_format())),
            "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 inf\n1 3 -2\n2 1 0.1\n");
}

TEST(WriteFile, DenseMatricesAreArrayFiles) {
  EXPECT_EQ(written("a.mtx", small_matrix(dense_format(2))),
            "%%MatrixMarket matrix array real general\n2 3\ninf\n0.1\n0\n0\n-2\n0\n");
}

TEST(WriteFile, VectorsAreMatricesOfOneColumnInMtxFiles) {
  const CoordinateList entries = read_tns("1 0.5\n3 -2\n").entries;
  EXPECT_EQ(written("a.mtx", build(entries, csf_format(1))),
            "%%MatrixMarket matrix coordinate real general\n3 1 2\n1 1 0.5\n3 1 -2\n");
  EXPECT_EQ(written("a.mtx", build(entries, dense_format(1))),
            "%%MatrixMarket matrix array real general\n3 1\n0.5\n0\n-2\n");
  EXPECT_EQ(written("a.ttx", build(entries, csf_format(1))),
            "%%MatrixMarket tensor coordinate real general\n3 2\n1 0.5\n3 -2\n");
}

TEST(WriteFile, TypesThatTheFieldDoesNotImplyAreHinted) {
  EXPECT_EQ(written("a.ttx", convert_type(build(read_tns("1 1 2 3\n").entries, csf_format(3)), Type::UInt8)),
            "%%MatrixMarket tensor coordinate integer general\n%%GraphBLAS type uint8_t\n1 1 2 1\n1 1 2 3\n");
  EXPECT_THAT(written("a.mtx", convert_type(small_matrix(), Type::Complex64)),
              HasSubstr("%%GraphBLAS type float complex\n"));
  EXPECT_THAT(written("a.mtx", convert_type(small_matrix(), Type::Bool)),
              HasSubstr("%%GraphBLAS type bool\n2 3 3\n1 1 1\n"));
}

TEST(WriteFile, FrosttFilesHaveOneLineAnEntryInOrder) {
  EXPECT_EQ(written("a.tns", small_matrix(csc_format())), "1 1 inf\n1 3 -2\n2 1 0.1\n");
  EXPECT_EQ(written("a.tns", small_matrix(dense_format(2))), "1 1 inf\n1 2 0\n1 3 -2\n2 1 0.1\n2 2 0\n2 3 0\n");
  EXPECT_EQ(written("a.tns", build(read_tns("2.5\n").entries, csf_format(0))), "2.5\n");
}

TEST(WriteFile, RutherfordBoeingFilesAreFixedWidth) {
  EXPECT_EQ(written("a.rb", small_matrix()),
            "Written by Lacuna                                                       lacuna  \n"
            "             3             1             1             1\n"
            "rra                        2             3             3             0\n"
            "(40I2)          (40I2)          (3E26.16)           \n"
            " 1 3 3 4\n"
            " 1 2 1\n"
            "                       inf                       0.1                      -2.0\n");
}

TEST(WriteFile, WhatAFormatCannotHoldIsRefusedAndWhatCanIsNamed) {
  const Storage cube = build(read_tns("1 1 2 3\n").entries, csf_format(3));
  const Storage scalar = build(read_tns("1\n").entries, csf_format(0));
  EXPECT_THAT(write_refusal("a.mtx", cube),
              HasSubstr(".mtx holds matrices and vectors, and this is a tensor of order 3; .ttx and .tns can hold it"));
  EXPECT_THAT(write_refusal("a.rb", cube), HasSubstr(".ttx and .tns can hold it"));
  EXPECT_THAT(write_refusal("a.mtx", scalar), HasSubstr(".tns can hold it"));
  EXPECT_THAT(write_refusal("a.ttx", scalar), HasSubstr(".tns can hold this one"));
  EXPECT_THAT(write_refusal("a.tns", convert_type(small_matrix(), Type::Complex128)),
              HasSubstr(".mtx and .ttx can hold complex128 ones"));
  EXPECT_THAT(write_refusal("a.txt", cube), HasSubstr("the ending '.txt' is unknown; known are .mtx"));
  const auto huge = build(read_mtx("%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type uint64_t\n"
                                   "1 1 1\n1 1 18446744073709551615\n")
                              .entries,
                          csr_format());
  EXPECT_THAT(write_refusal("a.tns", huge), HasSubstr("18446744073709551615 is not exact in float64"));
  EXPECT_THAT(write_refusal("a.rb", huge), HasSubstr("18446744073709551615 exceeds int64"));
  Storage filled = small_matrix();
  filled.fill = Scalar(1.5);
  EXPECT_THAT(write_refusal("a.mtx", filled), HasSubstr("absent entries are 1.5"));
  EXPECT_THAT(write_refusal("a.rb", filled), HasSubstr("absent entries are 1.5"));
}

TEST(WriteFile, ReplacesAFileAndKeepsItsPermissionsAndLinks) {
  const TemporaryFolder folder;
  make_file(folder / "real.tns", "old\n");
  ASSERT_EQ(::chmod((folder / "real.tns").c_str(), 0640), 0);
  std::filesystem::create_symlink("real.tns", folder / "link.tns");
  write_file(folder / "link.tns", small_matrix());
  EXPECT_EQ(file_text(folder / "real.tns"), "1 1 inf\n1 3 -2\n2 1 0.1\n");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.tns"));
  EXPECT_EQ(std::filesystem::status(folder / "real.tns").permissions(), std::filesystem::perms{0640});
  EXPECT_THAT(folder.files(), ElementsAre("link.tns", "real.tns"));
}

TEST(WriteFile, LeavesTheOldFileAloneWhenWritingFails) {
  const TemporaryFolder folder;
  make_file(folder / "a.mtx", "old\n");
  EXPECT_THROW(write_file(folder / "a.mtx", build(read_tns("1 1 2 3\n").entries, csf_format(3))), Error);
  EXPECT_EQ(file_text(folder / "a.mtx"), "old\n");
  EXPECT_THAT(folder.files(), ElementsAre("a.mtx"));
}

TEST(WriteFile, AProcessThatIsKilledWhileItWritesLeavesNothingForLong) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(folder / "y.tns");
    file.append("1 2.5\n");
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "y.tns"));
  // Where files without names are not to be had, the next one to write there tidies up.
  write_file(folder / "x.mtx", small_matrix());
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    EXPECT_EQ(entry.path().filename(), "x.mtx");
}

TEST(WriteFile, WhatAnEarlierProcessLeftBesideItGoes) {
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const std::string left = folder / fmt::format(".lacuna-{}-0.tmp", child);
  std::ofstream(left) << "half";
  write_file(folder / "x.mtx", small_matrix());
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST(WriteFile, AFileThatGrowsTooLargeIsARunTimeFailure) {
  const TemporaryFolder folder;
  make_file(folder / "a.tns", "old\n");
  struct rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 8;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(write_file(folder / "a.tns", small_matrix()), RuntimeFailure);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(file_text(folder / "a.tns"), "old\n");
  EXPECT_THAT(folder.files(), ElementsAre("a.tns"));
}

TEST(WriteFile, AFullDeviceIsARunTimeFailure) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder / "a.tns");
  EXPECT_THROW(write_file(folder / "a.tns", small_matrix()), RuntimeFailure);
}

TEST(WriteFile, PlacesThatCannotBeWrittenToAreTheUsersMistake) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_file(folder / "missing/a.tns", small_matrix()), Error);
  std::filesystem::create_directory(folder / "b.tns");
  EXPECT_THROW(write_file(folder / "b.tns", small_matrix()), Error);
}

}  // namespace
}  // namespace lacuna::write_test
