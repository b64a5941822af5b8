#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/io/io_testing.h"

namespace lacuna::malformed_file_test {
namespace {

using ::testing::HasSubstr;

const std::string real_general = "%%MatrixMarket matrix coordinate real general\n";

TEST(MalformedFile, BannersNameTheUnknownWord) {
  EXPECT_THAT(mtx_refusal("%%MatrixMarket mangled coordinate real general\n"),
              HasSubstr("a.mtx:1: the object 'mangled' is unknown"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix mangled real general\n"),
              HasSubstr("the layout 'mangled' is unknown"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate mangled general\n"),
              HasSubstr("the field 'mangled' is unknown; known are: real"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate real mangled\n"),
              HasSubstr("the symmetry 'mangled' is unknown"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate real\n"), HasSubstr("the symmetry is missing"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate real general x\n"), HasSubstr("'x' after the banner"));
  EXPECT_THAT(mtx_refusal("1 2 3\n"), HasSubstr("a.mtx:1: the first line is no Matrix Market banner"));
}

TEST(MalformedFile, FieldAndSymmetryMustGoTogether) {
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate pattern hermitian\n2 2 0\n"),
              HasSubstr("hermitian matrix is complex"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate real hermitian\n2 2 0\n"),
              HasSubstr("hermitian matrix is complex"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 0\n"),
              HasSubstr("skew-symmetric"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket tensor coordinate real symmetric\n2 2 0\n"),
              HasSubstr("a tensor can be general only"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
              HasSubstr("a.mtx:2: a symmetric matrix is square"));
}

TEST(MalformedFile, SizesMustBeThreeNaturalNumbers) {
  EXPECT_THAT(mtx_refusal(real_general + "2 2\n"), HasSubstr("a.mtx:2: 2 sizes: expected rows, columns"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 2 2\n"), HasSubstr("4 sizes"));
  EXPECT_THAT(mtx_refusal(real_general + "2 x 2\n"), HasSubstr("the size 'x' is not a number"));
  EXPECT_THAT(mtx_refusal(real_general + "2 -2 2\n"), HasSubstr("a size cannot be -2"));
  EXPECT_THAT(mtx_refusal(real_general + "9223372036854775808 2 2\n"), HasSubstr("'9223372036854775808' does not fit"));
  EXPECT_THAT(mtx_refusal(real_general + "% only this\n"), HasSubstr("the file ends before the line of sizes"));
}

TEST(MalformedFile, TheNumberOfEntriesMustBeAsAnnounced) {
  EXPECT_THAT(mtx_refusal(real_general + "2 2 3\n1 1 1\n2 2 2\n"),
              HasSubstr("a.mtx:2: 3 entries are announced, but the file holds 2: is it cut off?"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 1 1\n\n% x\n2 2 2\n"),
              HasSubstr("a.mtx:6: more entries than the 1 announced"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 9223372036854775807\n1 1 1\n"), HasSubstr("the file holds 1"));
}

TEST(MalformedFile, CoordinatesMustBeInRange) {
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n3 1 1\n"), HasSubstr("a.mtx:3: the row is 3, outside 1…2"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 3 1\n"), HasSubstr("the column is 3, outside 1…2"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n0 1 1\n"), HasSubstr("the row is 0, but coordinates start at 1"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 -1 1\n"), HasSubstr("the column is -1"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\nnan 1 1\n"), HasSubstr("the row 'nan' is not an integer"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1.5 1 1\n"), HasSubstr("the row '1.5' is not an integer"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n99999999999999999999 1 1\n"), HasSubstr("does not fit"));
}

TEST(MalformedFile, EntriesMustBeComplete) {
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 1\n"), HasSubstr("a.mtx:3: the value is missing"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1\n"),
              HasSubstr("the column is missing: expected a row and a column and a value"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 1 x\n"), HasSubstr("the value 'x' is not a number"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 1 1 1\n"), HasSubstr("'1' after the end of the entry"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 1-3.5\n"), HasSubstr("the column '1-3.5' is not a number"));
  EXPECT_THAT(mtx_refusal(real_general + "2 2 1\n1 1 1e999\n"), HasSubstr("'1e999' does not fit float64"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1\n"),
              HasSubstr("the imaginary part is missing"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n"),
              HasSubstr("after the end of the entry"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n"),
              HasSubstr("'1.5' is not an integer"));
}

TEST(MalformedFile, SymmetryForbidsSomeEntries) {
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n"),
              HasSubstr("a.mtx:3: a skew-symmetric"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n1 1 1 2\n"),
              HasSubstr("hermitian matrix is real"));
  EXPECT_THAT(mtx_refusal("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n1 2 1\n"),
              HasSubstr("a.mtx:4: a symmetric matrix implies the mirror of each entry"));
}

TEST(MalformedFile, TheMistakeIsUnderlined) {
  try {
    read_mtx(real_general + "2 2 1\n1 x 1\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(describe_with_caret(error), HasSubstr("\n  1 x 1\n    ^"));
  }
}

TEST(MalformedFile, BinaryAndEmptyFilesAreRefused) {
  using namespace std::string_literals;
  EXPECT_THAT(mtx_refusal(""), HasSubstr("a.mtx: the file is empty"));
  EXPECT_THAT(tns_refusal(""), HasSubstr("a.tns: the file is empty; to read a tensor without entries, give its sizes"));
  EXPECT_THAT(rb_refusal(""), HasSubstr("a.rb: the file is empty"));
  EXPECT_THAT(mtx_refusal("\x7f"s + "ELF\0\0\0"s), HasSubstr("byte 4 is NUL: this is a binary file"));
  EXPECT_THAT(tns_refusal("1 1 \x01\xff\n"), HasSubstr("'\\x01\\xff' is not a number"));
}

TEST(MalformedFile, UnreadablePlacesAreNamed) {
  const TemporaryFolder folder;
  const auto message = [](const std::string& path) {
    try {
      read_file(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("was read");
  };
  EXPECT_THAT(message(folder / "missing.mtx"), HasSubstr("missing.mtx: No such file"));
  EXPECT_THAT(message(folder / ""), HasSubstr("it is a folder"));
  make_file(folder / "a.txt", "1 2 3\n");
  EXPECT_THAT(message(folder / "a.txt"),
              HasSubstr("the ending '.txt' is unknown; known are .mtx, .ttx, .tns, .rb (and .hb"));
  make_file(folder / "a", "1 2 3\n");
  EXPECT_THAT(message(folder / "a"), HasSubstr("the ending (none) is unknown"));
}

}  // namespace
}  // namespace lacuna::malformed_file_test
