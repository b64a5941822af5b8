#include "lacuna/explain/numbers.h"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

TEST(Numbers, HaveThreeDigitsThatCount) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(0.063), "0.06");
  EXPECT_EQ(short_number(12.34), "12.3");
  EXPECT_EQ(short_number(3718.4), "3.72 k");
  EXPECT_EQ(short_number(16000), "16.0 k");
  EXPECT_EQ(short_number(1.28e9), "1.28 G");
}

TEST(Numbers, WholeOnesBelowTenThousandStayAsTheyAre) {
  EXPECT_EQ(short_number(1000), "1000");
  EXPECT_EQ(short_number(9999), "9999");
  EXPECT_EQ(short_number(10000), "10.0 k");
}

TEST(Numbers, WhatRoundsToAThousandTakesTheNextPrefix) {
  EXPECT_EQ(short_number(999999), "1.00 M");
  EXPECT_EQ(short_bytes(999.7), "1.00 kB");
}

TEST(Numbers, BytesHaveAUnit) {
  EXPECT_EQ(short_bytes(8), "8 B");
  EXPECT_EQ(short_bytes(8000), "8.00 kB");
  EXPECT_EQ(short_bytes(1.25e8), "125 MB");
}

}  // namespace
}  // namespace lacuna
