#include "lacuna/io/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "unit/io/io_testing.h"

namespace lacuna::gzip_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string zipped(std::string_view text) {
  std::string result;
  GzipCompressor compressor([&](std::string_view bytes) { result += bytes; });
  compressor.append(text);
  compressor.finish();
  return result;
}

std::string unzipped(std::string_view data) { return std::string(gunzip("a.gz", data).bytes()); }

std::string gunzip_refusal(std::string_view data) {
  try {
    gunzip("a.gz", data);
  } catch (const Error& error) {
    return error.what();
  }
  return "was read";
}

TEST(Gzip, GivesBackWhatWasCompressed) {
  std::string large;
  for (int i = 0; i < 200000; ++i) large += fmt::format("{} ", i * 7919 % 1000003);
  for (const std::string& text : {std::string(), std::string("a"), std::string(3000000, 'x'), large}) {
    EXPECT_TRUE(unzipped(zipped(text)) == text) << text.size();
  }
}

TEST(Gzip, MembersFollowEachOtherAndZerosAreIgnored) {
  EXPECT_EQ(unzipped(zipped("one") + zipped("") + zipped(" two")), "one two");
  EXPECT_EQ(unzipped(zipped("one") + std::string(512, '\0')), "one");
}

TEST(Gzip, DamagedDataAreRefused) {
  const std::string data = zipped("some text that is long enough to be cut");
  for (std::size_t size = 2; size < data.size(); ++size) {
    EXPECT_THAT(gunzip_refusal(data.substr(0, size)), HasSubstr("a.gz: the gzip data ends early"));
  }
  EXPECT_THAT(gunzip_refusal("plain"), HasSubstr("this is not gzip data"));
  EXPECT_THAT(gunzip_refusal(data + "x"), HasSubstr("something that is not gzip data follows"));
  std::string changed = data;
  changed[changed.size() - 6] = static_cast<char>(changed[changed.size() - 6] ^ 1);
  EXPECT_THAT(gunzip_refusal(changed), HasSubstr("the gzip data is corrupt (incorrect data check)"));
}

TEST(Gzip, FilesAreReadByTheirContents) {
  const TemporaryFolder folder;
  for (const char* name : {"a.tns.gz", "b.tns", "C.TNS.GZ"}) {
    make_file(folder / name, zipped("1 2 3\n"));
    EXPECT_THAT(entries_of(read_file(folder / name).entries), ElementsAre("(0,1) 3"));
  }
  make_file(folder / "d.tns.gz", "1 2 3\n");
  EXPECT_THROW(read_file(folder / "d.tns.gz"), Error);
}

TEST(Gzip, ProgressCoversDecompressionAndParsing) {
  const TemporaryFolder folder;
  make_file(folder / "a.tns.gz", zipped("1 2 3\n"));
  std::vector<double> fractions;
  ReadOptions options;
  options.progress = [&](double fraction) { fractions.push_back(fraction); };
  read_file(folder / "a.tns.gz", options);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.front(), 0.5);
  EXPECT_EQ(fractions.back(), 1.0);
}

}  // namespace
}  // namespace lacuna::gzip_test
