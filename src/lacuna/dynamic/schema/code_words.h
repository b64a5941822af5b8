#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The words of functions. No node is named after them either, so that functions can name all nodes.
namespace lacuna::schema {

/// What a call calls.
enum class Builtin : std::uint8_t {
  None,        // a function of the file
  Min,         // min(a, b)
  Max,         // max(a, b)
  Hash,        // hash(a): an integer from 0 to 2^32 - 1 that looks random
  LowerBound,  // lower_bound(n.e, count, c): the first of `count` slots whose coordinate is not below c, or count
  Elem,        // elem(c, v)
  Found,       // found(n.e[k]): the place of an entry that was there
  Added,       // added(n.e[k]): the place of one that is new
};

/// The words of functions, which no variable is named after (beside those of schemas).
inline constexpr std::array<std::string_view, 21> code_keywords{
    {"let",  "if",    "else", "while", "return", "break", "new",      "delete", "is",       "null", "nothing",
     "true", "false", "int",  "coord", "value",  "place", "elements", "for",    "continue", "void"}};

/// The functions that every level has.
struct BuiltinName {
  std::string_view name;
  Builtin builtin;
  std::size_t arguments;
};
inline constexpr std::array<BuiltinName, 7> builtins{{{"min", Builtin::Min, 2},
                                                      {"max", Builtin::Max, 2},
                                                      {"hash", Builtin::Hash, 1},
                                                      {"lower_bound", Builtin::LowerBound, 3},
                                                      {"elem", Builtin::Elem, 2},
                                                      {"found", Builtin::Found, 1},
                                                      {"added", Builtin::Added, 1}}};

/// Null when there is none of that name.
constexpr const BuiltinName* find_builtin(std::string_view name) {
  for (const BuiltinName& each : builtins) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

/// Whether a word means something in functions: a keyword, a type, or a function that every level has.
constexpr bool is_code_word(std::string_view word) {
  for (const std::string_view each : code_keywords) {
    if (each == word) return true;
  }
  return find_builtin(word) != nullptr;
}

}  // namespace lacuna::schema
