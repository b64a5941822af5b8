#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/io/io_testing.h"

namespace lacuna::frostt_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(FrosttFile, HasItsOrderAndDimensionsFromItsEntries) {
  const FileContents file = read_tns("# a comment\n\n2 2 2 6.0\n1 3 1 -2\n # another\n1 2 4 1e2");
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(1,1,1) 6", "(0,2,0) -2", "(0,1,3) 100"));
  EXPECT_THAT(file.entries.dimensions, ElementsAre(2, 3, 4));
  EXPECT_EQ(file.natural, csf_format(3));
  EXPECT_EQ(file.file_format, FileFormat::Frostt);
  EXPECT_EQ(file.entries.values.type(), Type::Float64);
}

TEST(FrosttFile, TakesGivenDimensions) {
  ReadOptions options;
  options.dimensions = {5, 6};
  EXPECT_THAT(read_tns("1 2 3\n", options).entries.dimensions, ElementsAre(5, 6));
  EXPECT_THAT(refusal(FileFormat::Frostt, "1 2 3\n1 7 3\n", options),
              HasSubstr("a.tns:2: the column is 7, outside 1…6"));
  EXPECT_THAT(refusal(FileFormat::Frostt, "1 2 3 4\n", options),
              HasSubstr("4 numbers: expected 2 coordinates and a value"));
  options.dimensions = {5, -6};
  EXPECT_THAT(refusal(FileFormat::Frostt, "1 2 3\n", options), HasSubstr("a dimension cannot be -6"));
}

TEST(FrosttFile, MayBeEmptyWhenItsDimensionsAreGiven) {
  ReadOptions options;
  options.dimensions = {5, 6};
  EXPECT_THAT(entries_of(read_tns("# nothing\n", options).entries), IsEmpty());
  EXPECT_THAT(entries_of(read_tns("", options).entries), IsEmpty());
  EXPECT_THAT(tns_refusal("# nothing\n"), HasSubstr("a.tns: no line holds an entry"));
}

TEST(FrosttFile, OfOneNumberIsATensorOfOrderZero) {
  const FileContents file = read_tns("2.5\n");
  EXPECT_THAT(file.entries.dimensions, IsEmpty());
  EXPECT_THAT(entries_of(file.entries), ElementsAre("() 2.5"));
  EXPECT_EQ(file.natural.order(), 0);
  EXPECT_THAT(tns_refusal("2.5\n3\n"), HasSubstr("a.tns:2: the first line holds one number"));
}

TEST(FrosttFile, CoordinatesBeyond32BitsMakeTheirColumnWide) {
  const FileContents file = read_tns("1 1 1\n2147483648 2147483647 2\n9223372036854775807 1 3\n");
  EXPECT_THAT(entries_of(file.entries),
              ElementsAre("(0,0) 1", "(2147483647,2147483646) 2", "(9223372036854775806,0) 3"));
  EXPECT_EQ(file.entries.coordinates[0].type(), Type::Int64);
  EXPECT_EQ(file.entries.coordinates[1].type(), Type::Int32);
}

TEST(FrosttFile, CoordinatesStartAtOne) {
  EXPECT_THAT(tns_refusal("# test tns\n1 1 3 0 2.0\n"),
              HasSubstr("a.tns:2: coordinate 4 is 0, but coordinates start at 1"));
  EXPECT_THAT(tns_refusal("1 -1 3 1 2.0\n"), HasSubstr("coordinate 2 is -1, but coordinates start at 1"));
}

TEST(FrosttFile, EveryLineHasTheSameNumberOfWords) {
  EXPECT_THAT(tns_refusal("1 1 1 2\n1 1 2\n"), HasSubstr("a.tns:2: the value is missing"));
  EXPECT_THAT(tns_refusal("1 1 1 2\n1 1 1 2 5\n"), HasSubstr("a.tns:2: '5' after the end of the entry"));
  EXPECT_THAT(tns_refusal("1 1 1 2\n1 x 1 2\n"), HasSubstr("coordinate 2 'x' is not a number"));
  EXPECT_THAT(tns_refusal("1 1 1 2\n1 nan 1 2\n"), HasSubstr("coordinate 2 'nan' is not an integer"));
  EXPECT_THAT(tns_refusal("1 1 1 2\n1 1-3\n"), HasSubstr("'1-3' is not a number"));
  EXPECT_THAT(tns_refusal("9223372036854775808 1\n"), HasSubstr("does not fit a coordinate of 63 bits"));
}

TEST(FrosttFile, HasAtMost64Modes) {
  std::string line;
  for (int i = 0; i < 65; ++i) line += "1 ";
  EXPECT_THAT(tns_refusal(line + "5\n"), HasSubstr("65 coordinates: at most 64"));
}

}  // namespace
}  // namespace lacuna::frostt_test
