// Harwell-Boeing files as Fortran programs and SciPy write them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "lacuna/io/fortran_format.h"
#include "unit/io/io_testing.h"

namespace lacuna::harwell_boeing_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// 2 × 2 with three entries.
std::string hb_file(const std::string& index_format, const std::string& pointers, const std::string& rows,
                    const std::string& value_format, const std::string& values) {
  return "A title\n" + fmt::format("{:14}{:14}{:14}{:14}\n", 3, 1, 1, 1) +
         fmt::format("{:14}{:14}{:14}{:14}{:14}\n", "RUA", 2, 2, 3, 0) +
         fmt::format("{:16}{:16}{:20}\n", index_format, index_format, value_format) + pointers + "\n" + rows + "\n" +
         values + "\n";
}

TEST(FortranFormat, MaySkipColumnsAndRepeatGroups) {
  const auto skipping = parse_fortran_format("(1X,8I9)");
  ASSERT_TRUE(skipping);
  EXPECT_EQ(skipping->per_line, 8);
  EXPECT_EQ(skipping->first, 1);
  EXPECT_EQ(skipping->stride, 9);
  const auto group = parse_fortran_format("(3(1P,E24.16))");
  ASSERT_TRUE(group);
  EXPECT_EQ(group->per_line, 3);
  EXPECT_EQ(group->width, 24);
  EXPECT_EQ(group->scale, 1);
  const auto gaps = parse_fortran_format("(2X,2(1X,2(I5,1X)))");
  EXPECT_FALSE(gaps);  // fields are not equally far apart
  const auto even = parse_fortran_format("( 4(2X,I6) )");
  ASSERT_TRUE(even);
  EXPECT_EQ(even->per_line, 4);
  EXPECT_EQ(even->first, 2);
  EXPECT_EQ(even->stride, 8);
  EXPECT_EQ(parse_fortran_format("(1P3E24.16)")->scale, 1);
  EXPECT_EQ(parse_fortran_format("(I5,3I5)")->per_line, 4);
}

TEST(FortranFormat, OfAnotherFormIsNone) {
  for (const char* text : {"(1X)", "(I5,I6)", "(I5,E10.2)", "(3(I5)", "(0(I5))", "(((((((I5)))))))", "(I5,)", "(A8)",
                           "(1000(1000(I5)))", "I5", "(1PP,E5.1)"})
    EXPECT_FALSE(parse_fortran_format(text)) << text;
}

TEST(HarwellBoeingFile, MaySkipColumns) {
  EXPECT_THAT(
      entries_of(read_rb(hb_file("(1X,8I3)", "   1  2  4", "   2  1  2", "(3(1P,E9.1))", "  1.0E+00  2.0E+00  3.0E+00"))
                     .entries),
      ElementsAre("(1,0) 1", "(0,1) 2", "(1,1) 3"));
  EXPECT_THAT(
      entries_of(
          read_rb(hb_file("(3(1X,I2))", "  1  2  4", "  2  1  2", "(1P3E9.1)", "  1.0E+00  2.0E+00  3.0E+00")).entries),
      ElementsAre("(1,0) 1", "(0,1) 2", "(1,1) 3"));
}

TEST(HarwellBoeingFile, ValuesMayHaveOtherWidthsThanDeclaredWhereBlanksOrSignsSeparateThem) {
  // As SciPy 1.11 writes them.
  EXPECT_THAT(entries_of(read_rb(hb_file("(40I2)", " 1 2 4", " 2 1 2", "(3E25.16)",
                                         "-2.9999999999999999E-200  4.0000000000000000E+00 -7.0000000000000000E+00"))
                             .entries),
              ElementsAre("(1,0) -3e-200", "(0,1) 4", "(1,1) -7"));
  EXPECT_THAT(entries_of(read_rb(hb_file("(40I2)", " 1 2 4", " 2 1 2", "(3E10.2)",
                                         " -1.2345678E+00  4.0000000E+00 -7.0000000E+00"))
                             .entries),
              ElementsAre("(1,0) -1.2345678", "(0,1) 4", "(1,1) -7"));
  // A sign after a whole exponent separates numbers, too.
  EXPECT_THAT(
      entries_of(read_rb(hb_file("(40I2)", " 1 2 4", " 2 1 2", "(3E25.16)",
                                 " -9.4265733481071261E-85-3.7032985197068358E+114  3.5435468534193492E+19"))
                     .entries),
      ElementsAre("(1,0) -9.426573348107126e-85", "(0,1) -3.703298519706836e+114", "(1,1) 3.543546853419349e+19"));
}

TEST(HarwellBoeingFile, ValuesThatBlanksDoNotSeparateHaveTheDeclaredWidth) {
  EXPECT_THAT(rb_refusal(hb_file("(40I2)", " 1 2 4", " 2 1 2", "(3F4.1)", " 1.5-2.5 3.55")),
              HasSubstr("'5' after the last field"));
  EXPECT_THAT(rb_refusal(hb_file("(40I2)", " 1 2 4", " 2 1 2", "(3F4.1)", " 1.5     3.5")),
              HasSubstr("a number is missing"));
}

TEST(HarwellBoeingFile, IsKnownByItsNames) {
  const TemporaryFolder folder;
  const std::string text = hb_file("(40I2)", " 1 2 4", " 2 1 2", "(3F4.1)", " 1.5 2.5 3.5");
  for (const char* name : {"a.rua", "a.RUA", "a.rsa", "a.psa", "a.cua", "a.rra", "a.hb", "a.rb", "a.iza"}) {
    make_file(folder / name, text);
    EXPECT_EQ(read_file(folder / name).file_format, FileFormat::RutherfordBoeing) << name;
  }
  make_file(folder / "a", text);
  EXPECT_EQ(read_file(folder / "a").file_format, FileFormat::RutherfordBoeing);
}

}  // namespace
}  // namespace lacuna::harwell_boeing_test
