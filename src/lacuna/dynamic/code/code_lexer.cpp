#include "lacuna/dynamic/code/code_lexer.h"

#include <algorithm>
#include <array>

namespace lacuna::schema {
namespace {

// Longer ones first, so that <= is not read as < and =.
constexpr std::array<std::string_view, 8> pairs{{"==", "!=", "<=", ">=", "&&", "||", "+=", "-="}};
constexpr std::string_view singles = "{}()[],;:.=<>+-*/%!";

/// What people write out of habit, and what the language has instead.
struct Habit {
  std::string_view written;
  std::string_view message;
};
constexpr std::array<Habit, 8> habits{{
    {"->", "fields of a node are written with a '.': n.l"},
    {"++", "write += 1"},
    {"--", "write -= 1"},
    {"&", "and is written &&; there are no operators on bits"},
    {"|", "or is written ||; there are no operators on bits"},
    {"?", "there is no ?:, write if and else"},
    {"\"", "there are no strings"},
    {"'", "there are no characters"},
}};

}  // namespace

Token CodeLexer::next() {
  skip_spaces();
  if (at_end()) return end();
  if (is_letter(peek())) return name();
  return is_digit(peek()) ? number() : symbol();
}

Token CodeLexer::number() {
  const std::size_t begin = at_;
  while (is_letter(peek()) || is_digit(peek())) ++at_;
  const Token read = make(TokenKind::Number, begin);
  if (std::all_of(read.text.begin(), read.text.end(), is_digit)) return read;
  fail_at(source_, read.where, "'{}' is neither a number nor a name; numbers are whole and decimal", shown(read.text));
}

Token CodeLexer::symbol() {
  const std::string_view two = source_.text.substr(at_, std::min<std::size_t>(2, end_ - at_));
  for (const Habit& habit : habits) {
    const bool is_pair = std::find(pairs.begin(), pairs.end(), two) != pairs.end();
    if (!is_pair && two.starts_with(habit.written)) {
      fail_at(source_, {{at_, at_ + habit.written.size()}}, "{}", habit.message);
    }
  }
  const bool double_symbol = std::find(pairs.begin(), pairs.end(), two) != pairs.end();
  if (!double_symbol && singles.find(peek()) == std::string_view::npos) fail_unknown("a function");
  const std::size_t begin = at_;
  at_ += double_symbol ? 2 : 1;
  return make(TokenKind::Symbol, begin);
}

}  // namespace lacuna::schema
