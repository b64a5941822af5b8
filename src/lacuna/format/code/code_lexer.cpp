#include "lacuna/format/code/code_lexer.h"

#include <algorithm>
#include <array>

#include "lacuna/format/schema/words.h"

namespace lacuna::schema {
namespace {

// <cctype> depends on the locale and is undefined for bytes above 127.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

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

Token CodeLexer::make(TokenKind kind, std::size_t begin) const {
  return {kind, source_.text.substr(begin, at_ - begin), {{begin, at_}}};
}

void CodeLexer::skip_spaces() {
  while (at_ < end_) {
    if (is_space(peek())) {
      ++at_;
    } else if (peek() == '/' && (peek(1) == '/' || peek(1) == '*')) {
      const bool line = peek(1) == '/';
      const std::size_t close = source_.text.find(line ? "\n" : "*/", at_ + 2);
      at_ = close == std::string_view::npos ? end_ : std::min(end_, close + (line ? 1 : 2));
    } else {
      return;
    }
  }
}

Token CodeLexer::next() {
  skip_spaces();
  if (at_ >= end_) return {TokenKind::End, {}, {{end_, end_ + 1}}};
  const std::size_t begin = at_;
  if (is_letter(peek())) {
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    if (at_ - begin > longest_name) {
      fail_at(source_, {{begin, at_}}, "a name of {} characters; {} are the most", at_ - begin, longest_name);
    }
    return make(TokenKind::Name, begin);
  }
  if (is_digit(peek())) {
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    const Token number = make(TokenKind::Number, begin);
    if (!std::all_of(number.text.begin(), number.text.end(), is_digit)) {
      fail_at(source_, number.where, "'{}' is neither a number nor a name; numbers are whole and decimal",
              shown(number.text));
    }
    return number;
  }
  const std::string_view two = source_.text.substr(at_, std::min<std::size_t>(2, end_ - at_));
  for (const Habit& habit : habits) {
    const bool is_pair = std::find(pairs.begin(), pairs.end(), two) != pairs.end();
    if (!is_pair && two.starts_with(habit.written)) {
      fail_at(source_, {{at_, at_ + habit.written.size()}}, "{}", habit.message);
    }
  }
  const bool double_symbol = std::find(pairs.begin(), pairs.end(), two) != pairs.end();
  if (!double_symbol && singles.find(peek()) == std::string_view::npos) unknown();
  at_ += double_symbol ? 2 : 1;
  return make(TokenKind::Symbol, begin);
}

void CodeLexer::unknown() const {
  const auto byte = static_cast<unsigned char>(peek());
  const Place here{{at_, at_ + 1}};
  if (byte >= 0x80) fail_at(source_, here, "byte 0x{:02X}: outside comments, a function is plain ASCII", byte);
  fail_at(source_, here, "'{}' means nothing in a function; take it out", peek());
}

}  // namespace lacuna::schema
