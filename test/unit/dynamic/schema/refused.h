#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lacuna/dynamic/schema/level.h"

namespace lacuna::schema {

/// Expects a level file to be refused with a message that starts with "t.level:PLACE: " and has `part` in it; returns
/// what the carets underline.
inline std::string refused(const std::string& text, const std::string& place, const std::string& part) {
  try {
    parse_level(text, "t.level");
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("t.level:" + place + ": "));
    EXPECT_THAT(error.what(), ::testing::HasSubstr(part));
    if (!error.where().known() || error.where().begin >= error.text().size()) return "";
    return error.text().substr(error.where().begin, error.where().end - error.where().begin);
  }
  ADD_FAILURE() << "accepted; expected an error with: " << part;
  return "";
}

}  // namespace lacuna::schema
