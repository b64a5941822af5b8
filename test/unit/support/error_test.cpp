#include "lacuna/support/check.h"

#include <gtest/gtest.h>

namespace lacuna::error_test {
namespace {

TEST(Error, CaretsUnderlineTheRange) {
  const Error error("no variable named q", {4, 6}, "y = qq + 1");
  EXPECT_EQ(describe_with_caret(error), "no variable named q\n  y = qq + 1\n      ^^");
}

TEST(Error, WithoutAPlaceOnlyTheMessageIsShown) {
  EXPECT_EQ(describe_with_caret(Error("cannot")), "cannot");
  EXPECT_EQ(describe_with_caret(Error("cannot", {0, 0}, "text")), "cannot");
}

TEST(Error, OnlyTheLineOfTheMistakeIsShown) {
  EXPECT_EQ(describe_with_caret(Error("bad", {6, 20}, "first\nsecond\nthird")), "bad\n  second\n  ^^^^^^");
  EXPECT_EQ(describe_with_caret(Error("bad", {13, 14}, "first\nsecond\nthird")), "bad\n  third\n  ^");
}

TEST(Error, CaretsCountCharactersAndNotBytes) {
  EXPECT_EQ(describe_with_caret(Error("bad", {3, 5}, "é=é")), "bad\n  é=é\n    ^");
}

TEST(Error, ControlCharactersDoNotMoveTheCarets) {
  EXPECT_EQ(describe_with_caret(Error("bad", {2, 3}, "\t\rx")), "bad\n    x\n    ^");
}

TEST(Error, ARangePastTheTextPointsAtItsEnd) {
  EXPECT_EQ(describe_with_caret(Error("unfinished", {3, 4}, "y =")), "unfinished\n  y =\n     ^");
  EXPECT_EQ(describe_with_caret(Error("unfinished", {90, 99}, "y =")), "unfinished\n  y =\n     ^");
}

TEST(Error, UserErrorFormatsItsMessage) {
  try {
    user_error("{} has {} modes", "A", 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "A has 3 modes");
    EXPECT_FALSE(error.where().known());
  }
}

TEST(Error, InternalCheckThrowsOnlyWhenTheConditionFails) {
  EXPECT_NO_THROW(internal_check(true, "fine"));
  EXPECT_THROW(internal_check(false, "wrong"), InternalError);
}

}  // namespace
}  // namespace lacuna::error_test
