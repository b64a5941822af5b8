#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/io/fortran_format.h"
#include "unit/io/io_testing.h"

namespace lacuna::rutherford_boeing_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 3 × 3 with entries 1 (1,1), -2.5 (3,1), 3 (2,2), 40 (3,3).
const std::string title = "A small matrix                                                          SMALL   \n";

std::string rb_file(const std::string& type, const std::string& value_format, int value_lines,
                    const std::string& values) {
  return title + fmt::format("{:14}{:14}{:14}{:14}\n", 2 + value_lines, 1, 1, value_lines) +
         fmt::format("{:14}{:14}{:14}{:14}{:14}\n", type, 3, 3, 4, 0) +
         fmt::format("{:16}{:16}{:20}\n", "(4I3)", "(6I2)", value_format) + "  1  3  4  5\n 1 3 2 3\n" + values;
}

std::string real_of(std::string_view field, std::string_view format) {
  double value = 0;
  const NumberFault fault = read_fortran_real(field, *parse_fortran_format(format), value);
  return fault == NumberFault::None ? fmt::format("{}", value) : describe_fault(fault, "it");
}

TEST(RutherfordBoeingFile, IsReadColumnByColumn) {
  const FileContents file = read_rb(rb_file("rua", "(3E10.2)", 2, "  1.00E+00  -2.5E+00       3.0\n  0.40D+02\n"));
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 1", "(2,0) -2.5", "(1,1) 3", "(2,2) 40"));
  EXPECT_THAT(file.entries.dimensions, ElementsAre(3, 3));
  EXPECT_EQ(file.natural, csc_format());
  EXPECT_EQ(file.file_format, FileFormat::RutherfordBoeing);
}

TEST(RutherfordBoeingFile, FieldsMayTouch) {
  EXPECT_THAT(entries_of(read_rb(rb_file("IUA", "(4I2)", 1, "10-2 340\n")).entries),
              ElementsAre("(0,0) 10", "(2,0) -2", "(1,1) 3", "(2,2) 40"));
}

TEST(RutherfordBoeingFile, HoldsPatternsAndComplexValues) {
  EXPECT_THAT(entries_of(read_rb(rb_file("pra", "", 0, "")).entries),
              ElementsAre("(0,0) 1", "(2,0) 1", "(1,1) 1", "(2,2) 1"));
  EXPECT_THAT(entries_of(read_rb(rb_file("cua", "(8F4.1)", 1, " 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0\n")).entries),
              ElementsAre("(0,0) complex(1,2)", "(2,0) complex(3,4)", "(1,1) complex(5,6)", "(2,2) complex(7,8)"));
}

TEST(RutherfordBoeingFile, SymmetricHalvesAreAdded) {
  const FileContents file = read_rb(rb_file("isa", "(4I2)", 1, " 1 2 3 4\n"));
  EXPECT_THAT(entries_of(file.entries), ElementsAre("(0,0) 1", "(2,0) 2", "(0,2) 2", "(1,1) 3", "(2,2) 4"));
  EXPECT_EQ(file.symmetry, "symmetric");
  EXPECT_THAT(entries_of(read_rb(rb_file("iza", "(4I2)", 1, " 0 2 0 0\n")).entries),
              ElementsAre("(0,0) 0", "(2,0) 2", "(0,2) -2", "(1,1) 0", "(2,2) 0"));
  EXPECT_THAT(rb_refusal(rb_file("iza", "(4I2)", 1, " 0 2 3 0\n")),
              HasSubstr("a.rb:6: a skew-symmetric matrix is zero on its diagonal"));
  EXPECT_THAT(rb_refusal(rb_file("cha", "(8F4.1)", 1, " 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0\n")),
              HasSubstr("hermitian matrix is real"));
}

TEST(RutherfordBoeingFile, RightHandSidesOfHarwellBoeingFilesArePassedOver) {
  std::string text = rb_file("rua", "(4F4.1)", 1, " 1.0 2.0 3.0 4.0\n 9.0 9.0 9.0\n");
  text.replace(text.find("             1\n"), 15, "             1             1\n");
  text.insert(text.find("  1  3  4  5\n"), "F                          1             0\n");
  EXPECT_THAT(entries_of(read_rb(text).entries), ElementsAre("(0,0) 1", "(2,0) 2", "(1,1) 3", "(2,2) 4"));
}

TEST(RutherfordBoeingFile, RealFieldsAreReadAsFortranDoes) {
  EXPECT_EQ(real_of("1010", "(10F7.1)"), "101");
  EXPECT_EQ(real_of("101.0", "(10F7.1)"), "101");
  EXPECT_EQ(real_of("1.5-3", "(3E10.2)"), "0.0015");
  EXPECT_EQ(real_of("-1.5+3", "(3E10.2)"), "-1500");
  EXPECT_EQ(real_of("1.5D2", "(1P,3D10.2)"), "150");
  EXPECT_EQ(real_of("1.5", "(1P3E10.2)"), "0.15");
  EXPECT_EQ(real_of("-inf", "(3E10.2)"), "-inf");
  EXPECT_EQ(real_of("1.5e", "(3E10.2)"), "is not a number");
  EXPECT_EQ(real_of("1.5e9999999999999999999", "(3E10.2)"), "does not fit it");
  EXPECT_EQ(real_of("x", "(3E10.2)"), "is not a number");
}

TEST(RutherfordBoeingFile, FormatsAreUnderstoodOrRefused) {
  const auto format = parse_fortran_format("( 1p, 5e16.8e3 )");
  ASSERT_TRUE(format);
  EXPECT_EQ(format->per_line, 5);
  EXPECT_EQ(format->width, 16);
  EXPECT_EQ(format->decimals, 8);
  EXPECT_EQ(format->scale, 1);
  EXPECT_EQ(parse_fortran_format("(I8)")->per_line, 1);
  EXPECT_TRUE(parse_fortran_format("(26I3.3)")->integer());
  for (const char* text :
       {"", "()", "(I)", "(0I3)", "(3I0)", "(3X3)", "26I3", "(26I3", "(26I3)x", "(9999999I3)", "(3I9999)", "(-3I4)"}) {
    EXPECT_FALSE(parse_fortran_format(text)) << text;
  }
}

TEST(RutherfordBoeingFile, MistakesAreRefusedWithTheirPlace) {
  const std::string values = " 1 2 3 4\n";
  const std::string good = rb_file("iua", "(4I2)", 1, values);
  EXPECT_THAT(rb_refusal(title), HasSubstr("a.rb:2: the file ends before the header line of the numbers of lines"));
  EXPECT_THAT(rb_refusal(rb_file("iue", "(4I2)", 1, values)), HasSubstr("a.rb:3: the matrix is elemental"));
  EXPECT_THAT(rb_refusal(rb_file("xua", "(4I2)", 1, values)),
              HasSubstr("the matrix type 'xua' is unknown: the first letter"));
  EXPECT_THAT(rb_refusal(rb_file("iua", "(4E9.2)", 1, values)),
              HasSubstr("a.rb:4: the format '(4E9.2)' of the values"));
  EXPECT_THAT(rb_refusal(rb_file("iua", "(4I2)", 1, "")),
              HasSubstr("the values should have 1 lines from here, but the file holds 0"));
  EXPECT_THAT(rb_refusal(rb_file("iua", "(4I2)", 1, " 1 2 3\n")), HasSubstr("a number is missing from the values"));
  EXPECT_THAT(rb_refusal(rb_file("iua", "(4I2)", 1, " 1 2 x 4\n")),
              HasSubstr("a.rb:7: 'x' in the values is not a number"));
  EXPECT_THAT(rb_refusal(good + "5\n"), HasSubstr("a.rb:8: a line after the values"));
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return rb_refusal(text);
  };
  EXPECT_THAT(changed("  1  3  4  5\n", "  2  3  4  5\n"), HasSubstr("a.rb:5: the first column pointer is 2, not 1"));
  EXPECT_THAT(changed("  1  3  4  5\n", "  1  4  3  5\n"),
              HasSubstr("column pointer 3 is 3, less than the one before, 4"));
  EXPECT_THAT(changed("  1  3  4  5\n", "  1  3  4  6\n"),
              HasSubstr("the last column pointer is 6, but there are 4 entries"));
  EXPECT_THAT(changed(" 1 3 2 3\n", " 1 4 2 3\n"), HasSubstr("a.rb:6: row 4 is outside 1…3"));
  EXPECT_THAT(changed(" 1 3 2 3\n", " 1 0 2 3\n"), HasSubstr("row 0 is outside 1…3"));
  EXPECT_THAT(changed("             3             4", "  999999999999             4"),
              HasSubstr("1 lines are announced for the column pointers"));
}

}  // namespace
}  // namespace lacuna::rutherford_boeing_test
