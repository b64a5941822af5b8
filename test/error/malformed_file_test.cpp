// Files that are not what they say: each is refused with the file's name and what is wrong, never read halfway.

#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error/command.h"

namespace lacuna::test::malformed_file_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct BadFile {
  const char* name;
  std::string file;
  std::string contents;
  std::string piece;
};

void PrintTo(const BadFile& bad, std::ostream* out) { *out << bad.name; }

class BadFileTest : public ::testing::TestWithParam<BadFile> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(BadFileTest, IsRefusedByName) {
  folder_.write(GetParam().file, GetParam().contents);

  const Ended ended = run_program({LACUNA_BINARY, "info", GetParam().file}, folder_.path());

  EXPECT_EQ(ended.code, 2) << ended.error;
  EXPECT_THAT(ended.error, StartsWith("lacuna: error: "));
  EXPECT_THAT(ended.error, HasSubstr(GetParam().file));
  EXPECT_THAT(ended.error, HasSubstr(GetParam().piece));
}

const std::string real = "%%MatrixMarket matrix coordinate real general\n";

const std::vector<BadFile> bad_files = {
    {"Empty", "empty.mtx", "", "is empty"},
    {"NoBanner", "bare.mtx", "2 2 1\n1 1 1.0\n", "banner"},
    {"UnknownField", "field.mtx", "%%MatrixMarket matrix coordinate quaternion general\n1 1 1\n1 1 1\n", "quaternion"},
    {"UnknownSymmetry", "symmetry.mtx", "%%MatrixMarket matrix coordinate real lopsided\n1 1 1\n1 1 1\n", "lopsided"},
    {"NoSizes", "sizes.mtx", real, "line of sizes"},
    {"SizesAreNoNumbers", "words.mtx", real + "two two one\n1 1 1\n", "'two'"},
    {"NegativeSize", "negative.mtx", real + "-2 2 1\n1 1 1\n", "-2"},
    {"TooFewEntries", "few.mtx", real + "2 2 2\n1 1 1.0\n", "cut off"},
    {"TooManyEntries", "many.mtx", real + "2 2 1\n1 1 1.0\n2 2 2.0\n", "more entries"},
    {"RowOutOfRange", "row.mtx", real + "2 2 1\n3 1 1.0\n", "3"},
    {"ColumnZero", "zero.mtx", real + "2 2 1\n1 0 1.0\n", "0"},
    {"ValueIsNoNumber", "value.mtx", real + "2 2 1\n1 1 one\n", "one"},
    {"ValueMissing", "short.mtx", real + "2 2 1\n1 1\n", "value is missing"},
    {"HugeCount", "huge.mtx", real + "2 2 99999999999999999999\n1 1 1\n", "63 bits"},
    {"MoreEntriesThanCells", "full.mtx", real + "1 1 4000000000\n1 1 1\n", "4000000000"},
    {"SymmetricButRectangular", "rect.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n2 1 1\n",
     "square"},
    {"ArrayTooShort", "array.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", "holds 3"},
    {"TnsWithWords", "words.tns", "1 1 1 2.0\n1 one 1 2.0\n", "one"},
    {"TnsOfTwoOrders", "orders.tns", "1 1 1 2.0\n1 1 2.0\n", "3 coordinates"},
    {"TnsWithCoordinateZero", "zero.tns", "0 1 1 2.0\n", "0"},
    {"TnsWithoutValue", "lone.tns", "1 1 1 2.0\n1\n", "coordinate 2 is missing"},
    {"NotGzip", "plain.mtx.gz", real + "1 1 1\n1 1 1\n", "gzip"},
    {"TruncatedGzip", "cut.tns.gz", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x33", 11), "cut off"},
    {"NotRutherfordBoeing", "bad.rb", "a title\nnot numbers\n", "'numbers'"},
};

INSTANTIATE_TEST_SUITE_P(Command, BadFileTest, ::testing::ValuesIn(bad_files),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lacuna::test::malformed_file_test
