#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/format/format.h"
#include "lacuna/support/error.h"

namespace lacuna::parse_format_test {
namespace {

using ::testing::HasSubstr;

TEST(ParseFormat, ReadsNames) {
  EXPECT_EQ(parse_format("dense", 0), Format());
  EXPECT_EQ(parse_format("", 0), Format());
  EXPECT_EQ(parse_format("dense", 4), dense_format(4));
  EXPECT_EQ(parse_format("csr", 2), csr_format());
  EXPECT_EQ(parse_format("csc", 2), csc_format());
  EXPECT_EQ(parse_format("dcsr", 2), dcsr_format());
  EXPECT_EQ(parse_format("dcsc", 2), dcsc_format());
  EXPECT_EQ(parse_format("coo", 3), coo_format(3));
  EXPECT_EQ(parse_format("csf", 3), csf_format(3));
  EXPECT_EQ(parse_format("sparse", 3), csf_format(3));
  EXPECT_EQ(parse_format("bitmap", 2), bitmap_format(2));
  EXPECT_EQ(parse_format("hashed", 2), hashed_format(2));
}

TEST(ParseFormat, ReadsLetters) {
  EXPECT_EQ(parse_format("ds", 2), csr_format());
  EXPECT_EQ(parse_format("ds:1,0", 2), csc_format());
  EXPECT_EQ(parse_format("ucq", 3), coo_format(3));
  EXPECT_EQ(parse_format("bh", 2), Format({{LevelKind::Bitmap}, {LevelKind::Hashed}}));
  EXPECT_EQ(parse_format("s", 1), csf_format(1));
  EXPECT_EQ(parse_format("d,s", 2), csr_format());
}

TEST(ParseFormat, ReadsListsWithProperties) {
  EXPECT_EQ(parse_format("dense,compressed", 2), csr_format());
  EXPECT_EQ(parse_format(" dense , compressed : 1 , 0 ", 2), csc_format());
  EXPECT_EQ(parse_format("compressed(nonunique),singleton", 2), coo_format(2));
  EXPECT_EQ(parse_format("compressed(not-unique),singleton", 2), coo_format(2));
  EXPECT_EQ(parse_format("dense,compressed(unordered)", 2), Format({{}, {LevelKind::Compressed, false, true}}));
  EXPECT_EQ(parse_format("s(unordered, nonunique),q(ordered,unique)", 2),
            Format({{LevelKind::Compressed, false, false}, {LevelKind::Singleton}}));
  EXPECT_EQ(parse_format("hashed(unordered)", 1), hashed_format(1));
}

TEST(ParseFormat, ReadsBackWhatIsPrinted) {
  for (int order = 0; order <= 3; ++order) {
    std::vector<std::vector<LevelFormat>> lists = {{}};
    for (int k = 0; k < order; ++k) {
      std::vector<std::vector<LevelFormat>> longer;
      for (const auto& list : lists) {
        for (const LevelKind kind :
             {LevelKind::Dense, LevelKind::Compressed, LevelKind::Singleton, LevelKind::Bitmap, LevelKind::Hashed}) {
          for (const int properties : {0, 1, 2, 3}) {
            longer.push_back(list);
            longer.back().push_back({kind, (properties & 1) != 0, (properties & 2) != 0});
          }
        }
      }
      lists = std::move(longer);
    }
    for (const auto& list : lists) {
      if (!validate_levels(list).empty()) continue;
      std::vector<int> modes;
      for (int k = 0; k < order; ++k) modes.push_back(order == 3 ? (k + 1) % 3 : order - 1 - k);
      for (const Format& format : {Format(list), Format(list, LevelMap(modes))}) {
        EXPECT_EQ(parse_format(format.to_string(), order), format) << format.to_string();
      }
    }
  }
}

struct Mistake {
  std::string text;
  int order;
  std::string message;
  std::size_t begin;
};

class ParseFormatRefuses : public ::testing::TestWithParam<Mistake> {};

TEST_P(ParseFormatRefuses, NamingTheMistakeAndItsColumn) {
  const Mistake& mistake = GetParam();
  try {
    parse_format(mistake.text, mistake.order);
    FAIL() << mistake.text << " was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(mistake.message));
    EXPECT_EQ(error.where().begin, mistake.begin) << error.what();
    EXPECT_TRUE(error.where().known());
    EXPECT_EQ(error.text(), mistake.text);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ParseFormatRefuses,
    ::testing::Values(
        Mistake{"dense,compresed", 2, "unknown format or level \"compresed\"; did you mean compressed?", 6},
        Mistake{"dense,compresed", 2, "column 7", 6},  //
        Mistake{"csrr", 2, "unknown format or level \"csrr\"", 0},
        Mistake{"csr", 3, "csr is a format of order 2, but the tensor has 3 modes", 0},
        Mistake{"dcsc", 1, "but the tensor has 1 mode", 0},
        Mistake{"ds", 3, "the format has 2 levels, but the tensor has 3 modes", 0},
        Mistake{"dense,dense,dense", 2, "the format has 3 levels, but the tensor has 2 modes", 0},
        Mistake{"d,csr", 2, "csr names a whole format", 2},
        Mistake{"d,s(sorted)", 2, "unknown property \"sorted\"; known are ordered, unordered, unique, nonunique", 4},
        Mistake{"d,s(ordered", 2, "expected ')'", 11},  //
        Mistake{"d,", 2, "a level is missing at the end", 2}, Mistake{"d,,s", 3, "expected a level, found ','", 2},
        Mistake{"", 2, "the text is empty, but the tensor has 2 modes", 0},
        Mistake{"ds:0", 2, "the mode order names 1 mode, but the tensor has 2", 3},
        Mistake{"ds:0,0", 2, "the mode order names mode 0 twice", 3},
        Mistake{"ds:0,2", 2, "the mode order names mode 2, but the tensor's modes are 0 to 1", 3},
        Mistake{"ds:0,x", 2, "\"x\" is not a mode number", 5},
        Mistake{"ds:0,99999999999999999999", 2, "is not a mode number", 5},
        Mistake{"ds:1,0,", 2, "a mode number is missing", 7},
        Mistake{"csc:0,1", 2, "this format's mode order is 1,0", 4},  //
        Mistake{"ds;", 2, "unexpected ';'", 2}, Mistake{"qd", 2, "the first level is a singleton", 0},
        Mistake{"ud", 2, "level 1 must be a singleton", 0}, Mistake{"dense(unordered)", 1, "always ordered", 0},
        Mistake{"hashed(ordered)", 1, "a hashed level is never ordered", 7}));

}  // namespace
}  // namespace lacuna::parse_format_test
