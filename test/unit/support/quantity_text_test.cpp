#include "lacuna/support/quantity_text.h"

#include <gtest/gtest.h>

namespace lacuna::quantity_text_test {
namespace {

TEST(Numbers, HaveThreeDigitsThatCount) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(0.063), "0.06");
  EXPECT_EQ(number_text(12.34), "12.3");
  EXPECT_EQ(number_text(3718.4), "3.72 k");
  EXPECT_EQ(number_text(16000), "16.0 k");
  EXPECT_EQ(number_text(1.28e9), "1.28 G");
}

TEST(Numbers, WholeOnesBelowTenThousandStayAsTheyAre) {
  EXPECT_EQ(number_text(1000), "1000");
  EXPECT_EQ(number_text(9999), "9999");
  EXPECT_EQ(number_text(10000), "10.0 k");
}

TEST(Numbers, WhatRoundsToAThousandTakesTheNextPrefix) {
  EXPECT_EQ(number_text(999999), "1.00 M");
  EXPECT_EQ(bytes_text(999.7), "1.00 kB");
}

TEST(Numbers, BytesHaveAUnit) {
  EXPECT_EQ(bytes_text(8), "8 B");
  EXPECT_EQ(bytes_text(8000), "8.00 kB");
  EXPECT_EQ(bytes_text(1.25e8), "125 MB");
}

TEST(Numbers, TimesHaveAUnit) {
  EXPECT_EQ(seconds_text(0), "0 µs");
  EXPECT_EQ(seconds_text(6.62e-6), "6.62 µs");
  EXPECT_EQ(seconds_text(0.0021), "2.10 ms");
  EXPECT_EQ(seconds_text(0.99999), "1.00 s");
  EXPECT_EQ(seconds_text(1234.4), "1234 s");
}

}  // namespace
}  // namespace lacuna::quantity_text_test
