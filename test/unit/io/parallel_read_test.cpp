#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/io/parallel.h"
#include "lacuna/io/read.h"
#include "unit/io/io_testing.h"

namespace lacuna::parallel_read_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> entries_in_blocks(FileFormat format, const std::string& text, int threads,
                                           std::size_t block_bytes) {
  ReadOptions options;
  options.threads = threads;
  return entries_of(read_text_in_blocks(format, {"a", text}, options, block_bytes).entries);
}

std::string symmetric_matrix(int entries) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n1000 1000 {}\n", entries);
  for (int i = 0; i < entries; ++i) {
    if (i % 7 == 0) text += "% comment\n";
    if (i % 5 == 0) text += " \n";
    text += fmt::format("{} {} {}\n", i % 1000 + 1, i % 1000 / 2 + 1, i * 0.5);
  }
  return text;
}

TEST(ParallelRead, ThreadsAndBlocksDoNotChangeTheResult) {
  const std::string matrix = symmetric_matrix(200);
  const auto expected = entries_in_blocks(FileFormat::MatrixMarket, matrix, 1, 1U << 20U);
  EXPECT_EQ(expected.size(), 399U);
  std::string array = "%%MatrixMarket matrix array real general\n20 30\n";
  for (int i = 0; i < 600; ++i) array += fmt::format("{}\n", i);
  const auto expected_array = entries_in_blocks(FileFormat::MatrixMarket, array, 1, 1U << 20U);
  for (const int threads : {1, 2, 5}) {
    for (const std::size_t block : {1U, 10U, 64U, 1000U}) {
      EXPECT_EQ(entries_in_blocks(FileFormat::MatrixMarket, matrix, threads, block), expected);
      EXPECT_EQ(entries_in_blocks(FileFormat::MatrixMarket, array, threads, block), expected_array);
    }
  }
}

// Blocks of one line are too short to be looked at 64 bytes at a time, so that they take another way through the
// parser.
TEST(ParallelRead, EveryWayOfParsingGivesTheSameNumbers) {
  std::mt19937_64 random(20240607);
  std::string text;
  std::vector<double> expected;
  const char* const formats[] = {"{:.6f}", "{}", "{:.17g}", "{:.3e}", "{:.0f}", "{:.9f}", "{:.15f}"};
  for (int i = 0; i < 20000; ++i) {
    const int digits = static_cast<int>(random() % 10);
    double value = static_cast<double>(random()) / 1.8446744073709552e19;
    for (int k = 0; k < digits; ++k) value *= 10;
    if (random() % 3 == 0) value = -value;
    const std::string number = fmt::format(fmt::runtime(formats[random() % std::size(formats)]), value);
    expected.push_back(std::strtod(number.c_str(), nullptr));
    const char* const blank = random() % 20 == 0 ? "  " : " ";
    const char* const end = random() % 20 == 0 ? "\r\n" : random() % 20 == 0 ? " \n" : "\n";
    text += fmt::format("{}{}{} {}{}", random() % 10000000000 + 1, blank, random() % 100 + 1, number, end);
  }
  const CoordinateList together = read_text_in_blocks(FileFormat::Frostt, {"a", text}, {}, 1U << 20U).entries;
  const CoordinateList apart = read_text_in_blocks(FileFormat::Frostt, {"a", text}, {}, 1).entries;
  EXPECT_TRUE(std::ranges::equal(together.values.view<double>(), expected));
  EXPECT_EQ(entries_of(together), entries_of(apart));
}

TEST(ParallelRead, TheLastLineNeedsNoNewline) {
  for (const std::size_t block : {1U, 5U, 100U}) {
    EXPECT_THAT(entries_in_blocks(FileFormat::Frostt, "1 1\n2 2\n3 3", 2, block),
                ElementsAre("(0) 1", "(1) 2", "(2) 3"));
  }
}

TEST(ParallelRead, TheFirstMistakeIsReportedWhateverTheThreads) {
  std::string text = symmetric_matrix(300);
  text.replace(text.find("\n150 ") + 1, 3, "1x0");
  text.replace(text.find("\n200 ") + 1, 3, "2y0");
  std::string first;
  for (const int threads : {1, 2, 4}) {
    for (const std::size_t block : {1U, 50U, 100000U}) {
      try {
        entries_in_blocks(FileFormat::MatrixMarket, text, threads, block);
        FAIL();
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("the row '1x0' is not a number"));
        if (first.empty()) first = error.what();
        EXPECT_EQ(error.what(), first);
      }
    }
  }
}

TEST(ParallelRead, ProgressEndsAtOneAndNeverFalls) {
  std::vector<double> fractions;
  ReadOptions options;
  options.progress = [&](double fraction) { fractions.push_back(fraction); };
  read_text_in_blocks(FileFormat::MatrixMarket, {"a", symmetric_matrix(100)}, options, 64);
  ASSERT_GT(fractions.size(), 2U);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1.0);
}

TEST(ParallelRead, RunParallelDoesEveryItemOnce) {
  std::vector<std::atomic<int>> times(1000);
  run_parallel(4, times.size(), [&](std::size_t i) { ++times[i]; });
  for (const auto& n : times) EXPECT_EQ(n, 1);
  run_parallel(4, 0, [&](std::size_t) { FAIL(); });
}

TEST(ParallelRead, RunParallelRethrowsTheLowestFailure) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    try {
      run_parallel(4, 100, [&](std::size_t i) {
        if (i % 10 == 7) throw Error(std::to_string(i));
      });
      FAIL();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  }
}

}  // namespace
}  // namespace lacuna::parallel_read_test
