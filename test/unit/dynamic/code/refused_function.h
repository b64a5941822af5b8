#pragma once

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lacuna/dynamic/code/program.h"

namespace lacuna::schema {

/// A level of three lines that functions are tried on, which begin on line 4.
inline const std::string a_level =
    "const N = 4 def supertype t def top { r : list u : t }\n"
    "def list { e : elem nonempty n : list d : int8 q : bool k : elem[B] B : size in [0, N] }\n"
    "def inner : t { e : elem nonempty c : t[B] B : size p : parent } def outer : t { x : elem nonempty }\n";

inline LevelProgram read_level_program(const std::string& text) {
  return read_program(parse_level(text, "t.level"), {"t.level", text});
}

/// Expects functions to be refused with a message that starts with "t.level:PLACE: " and has `part` in it; returns
/// what the carets underline.
inline std::string refused_function(const std::string& functions, const std::string& place, const std::string& part) {
  try {
    read_level_program(a_level + functions);
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("t.level:" + place + ": "));
    EXPECT_THAT(error.what(), testing::HasSubstr(part));
    if (!error.where().known() || error.where().begin >= error.text().size()) return "";
    return error.text().substr(error.where().begin, error.where().end - error.where().begin);
  }
  ADD_FAILURE() << "accepted: " << functions << "; expected an error with: " << part;
  return "";
}

/// The same of one statement in a function that has variables of all types; it begins in column 3 of line 5.
inline std::string refused_statement(const std::string& statement, const std::string& column, const std::string& part) {
  return refused_function(
      "fn f(root : top, n : list, s : t, c : coord, v : value, p : place, b : bool, i : int, all : elements) {\n  " +
          statement + "\n}",
      "5:" + column, part);
}

}  // namespace lacuna::schema
