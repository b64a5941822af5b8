#include "lacuna/dynamic/schema/lexer.h"

#include <array>
#include <vector>

#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {
namespace {

/// Nobody writes more brackets inside each other; a recursive reader of the functions may rely on it.
constexpr std::size_t deepest_brackets = 200;

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

/// What people write out of habit and what a schema has instead.
struct CharacterHabit {
  char written;
  std::string_view message;
};
constexpr std::array<CharacterHabit, 5> character_habits{{
    {';', "nothing in a schema ends with ';'; leave it out"},
    {'#', "comments begin with //"},
    {'&', "a child is always a reference; write only the name of its type"},
    {'-', "sizes are not negative, and names have no '-'; '_' joins words"},
    {'.', "numbers in a schema are whole, and names have no '.'; an open upper end is '*', as in [1, *]"},
}};

}  // namespace

Token Lexer::next() {
  skip_spaces();
  if (at_end()) return end();
  if (is_letter(peek())) return name();
  if (is_digit(peek())) return number();
  if (peek() == '-' && peek(1) == '>') {
    at_ += 2;
    return make(TokenKind::Symbol, at_ - 2);
  }
  if (std::string_view(":{}[](),=*").find(peek()) == std::string_view::npos) unknown();
  ++at_;
  return make(TokenKind::Symbol, at_ - 1);
}

Token Lexer::number() {
  const std::size_t begin = at_;
  while (is_digit(peek())) ++at_;
  const bool clean = !is_letter(peek()) && peek() != '.';
  if (clean) return make(TokenKind::Number, begin);
  while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++at_;
  fail_at(source_, place(begin), "'{}' is neither a number nor a name; numbers are whole and decimal",
          shown(source_.text.substr(begin, at_ - begin)));
}

void Lexer::skip_quoted() {
  const std::size_t begin = at_;
  const char quote = peek();
  ++at_;
  while (!at_end() && peek() != quote && peek() != '\n') at_ += peek() == '\\' ? 2 : 1;
  if (peek() != quote) {
    fail_at(source_, {{begin, begin + 1}}, "the {} that begins here is not closed on its line; write {} where it ends",
            quote == '"' ? "string" : "character", quote);
  }
  ++at_;
}

Place Lexer::raw(const Token& open) {
  std::vector<std::size_t> opened{open.where.range.begin};
  const std::size_t begin = at_;
  while (!at_end()) {
    const char c = peek();
    if (skip_comment()) continue;
    if (c == '"' || c == '\'') {
      skip_quoted();
      continue;
    }
    ++at_;
    if (c == '(' || c == '[' || c == '{') opened.push_back(at_ - 1);
    if (opened.size() > deepest_brackets) {
      fail_at(source_, place(at_ - 1), "more than {} brackets inside each other", deepest_brackets);
    }
    if (c != ')' && c != ']' && c != '}') continue;
    const std::size_t match = opened.back();
    if (c != closing(source_.text[match])) {
      fail_at(source_, place(at_ - 1), "'{}' does not close the '{}' of line {}; write '{}' first", c,
              source_.text[match], position_of(source_.text, match).line, closing(source_.text[match]));
    }
    opened.pop_back();
    if (opened.empty()) return {{begin, at_ - 1}};
  }
  const std::size_t last = opened.back();
  fail_at(source_, {{last, last + 1}}, "this '{}' is not closed; its '{}' is missing", source_.text[last],
          closing(source_.text[last]));
}

void Lexer::unknown() const {
  for (const CharacterHabit& habit : character_habits) {
    if (peek() == habit.written) fail_at(source_, {{at_, at_ + 1}}, "{}", habit.message);
  }
  fail_unknown("a schema");
}

}  // namespace lacuna::schema
