// FROSTT files that say their sizes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/tensor/build.h"
#include "unit/io/io_testing.h"

namespace lacuna::frostt_header_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ExtendedFrostt, BeginsWithOrderAndNumberOfEntriesThenSizes) {
  const FileContents file = read_tns("# extended FROSTT format\n3 2\n100 200 300\n1 1 1 0.5\n2 3 4 6\n");
  EXPECT_THAT(file.entries.dimensions, ElementsAre(100, 200, 300));
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0,0) 0.5", "(1,2,3) 6"));
  EXPECT_EQ(file.natural, csf_format(3));
}

TEST(ExtendedFrostt, IsKnownWithoutItsCommentAndWithoutTheNumberOfEntries) {
  EXPECT_THAT(read_tns("3 1\n4 5 6\n1 1 1 0.5\n").entries.dimensions, ElementsAre(4, 5, 6));
  EXPECT_THAT(read_tns("3\n4 5 6\n1 1 1 0.5\n").entries.dimensions, ElementsAre(4, 5, 6));
  EXPECT_THAT(read_tns("2 1\n4 5\n1 1 0.5\n").entries.dimensions, ElementsAre(4, 5));
  EXPECT_THAT(read_tns("1 1\n4\n2 0.5\n").entries.dimensions, ElementsAre(4));
  const FileContents none = read_tns("# extended FROSTT format\n2 0\n4 5\n");
  EXPECT_THAT(none.entries.dimensions, ElementsAre(4, 5));
  EXPECT_THAT(entries_of(none.entries), IsEmpty());
}

TEST(ExtendedFrostt, IsNotTakenForWhatAPlainFileMayBe) {
  EXPECT_THAT(entries_of(read_tns("2 1\n4 5\n").entries), ElementsAre("(1) 1", "(3) 5"));
  EXPECT_THAT(entries_of(read_tns("2 1\n4 5\n1 6\n").entries), ElementsAre("(1) 1", "(3) 5", "(0) 6"));
  EXPECT_THAT(entries_of(read_tns("3\n").entries), ElementsAre("() 3"));
}

TEST(ExtendedFrostt, MustHoldWhatItAnnounces) {
  EXPECT_THAT(tns_refusal("3 2\n4 5 6\n1 1 1 0.5\n"),
              HasSubstr("a.tns:1: 2 entries are announced, but the file holds 1"));
  EXPECT_THAT(tns_refusal("3 1\n4 5 6\n1 1 1 0.5\n1 1 2 0.5\n"),
              HasSubstr("a.tns:4: more entries than the 1 announced"));
  EXPECT_THAT(tns_refusal("3 1\n4 5 6\n1 1 7 0.5\n"), HasSubstr("a.tns:3: coordinate 3 is 7, outside 1…6"));
  EXPECT_THAT(tns_refusal("3 1\n4 5 6\n1 1 0.5\n"),
              HasSubstr("a.tns:3: 3 numbers: expected 3 coordinates and a value"));
}

TEST(ExtendedFrostt, OfWhichTheSizesAreGivenTakesThese) {
  ReadOptions options;
  options.dimensions = {7, 8};
  EXPECT_THAT(read_tns("2 1\n4 5\n1 1 0.5\n", options).entries.dimensions, ElementsAre(7, 8));
  options.dimensions = {7, 8, 9};
  EXPECT_THAT(refusal(FileFormat::Frostt, "2 0\n# x\n4 5\n", options), HasSubstr("expected 3 coordinates"));
}

TEST(FrosttFile, MayBeEmptyWhereItsLeastSizesAreGiven) {
  ReadOptions options;
  options.least_dimensions = {5, 6};
  for (const char* text : {"", "# nothing\n"}) {
    const FileContents file = read_tns(text, options);
    EXPECT_THAT(file.entries.dimensions, ElementsAre(5, 6));
    EXPECT_THAT(entries_of(file.entries), IsEmpty());
  }
  EXPECT_THAT(read_tns("1 9 2.5\n", options).entries.dimensions, ElementsAre(5, 9));
}

TEST(FrosttFile, WrittenOfATensorWithoutEntriesIsReadBack) {
  const TemporaryFolder folder;
  for (const std::vector<std::int64_t>& dimensions :
       std::vector<std::vector<std::int64_t>>{{5}, {3, 4}, {2, 3, 4}, {0, 3}, {3'000'000'000, 2}}) {
    for (const char* name : {"a.tns", "a.tns.gz"}) {
      const Storage empty = empty_tensor(Type::Float64, dimensions, csf_format(static_cast<int>(dimensions.size())));
      write_file(folder / name, empty);
      const FileContents file = read_file(folder / name);
      EXPECT_EQ(file.entries.dimensions, dimensions) << name;
      EXPECT_EQ(build(file.entries, file.natural).stored(), 0);
    }
  }
}

}  // namespace
}  // namespace lacuna::frostt_header_test
