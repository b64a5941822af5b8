#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lacuna/support/error.h"

namespace lacuna {

/// Runs `f`, expects it to throw Error with `part` in its message, and returns the text that the error points at.
template <typename F>
std::string expect_error(F&& f, const std::string& part) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr(part));
    if (!error.where().known() || error.where().begin >= error.text().size()) return "";
    return error.text().substr(error.where().begin, error.where().end - error.where().begin);
  }
  ADD_FAILURE() << "no error; expected one with: " << part;
  return "";
}

}  // namespace lacuna
