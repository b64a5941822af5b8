#include "lacuna/notation/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

namespace lacuna::notation {
namespace {

// <cctype> depends on the locale and is undefined for bytes above 127.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// What people write out of habit, longest first, and what index notation has instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> habits{{
    {"==", "'==' is not an operator of index notation: '=' assigns, and eq(a, b) compares"},
    {"!=", "'!=' is not an operator of index notation; write ne(a, b)"},
    {"<=", "'<=' is not an operator of index notation; write le(a, b)"},
    {">=", "'>=' is not an operator of index notation; write ge(a, b)"},
    {"**", "'**' is not an operator of index notation; write pow(a, b)"},
    {"-=", "'-=' is not an assignment of index notation; write y(i) += -(…)"},
    {"*=", "'*=' is not an assignment of index notation; write y(i) = y(i) * …"},
    {"/=", "'/=' is not an assignment of index notation; write y(i) = y(i) / …"},
    {"&&", "'&&' is not an operator of index notation; write and(a, b)"},
    {"||", "'||' is not an operator of index notation; write or(a, b)"},
    {"<", "'<' is not an operator of index notation; write lt(a, b)"},
    {">", "'>' is not an operator of index notation; write gt(a, b)"},
    {"&", "'&' is not an operator of index notation; write and(a, b)"},
    {"|", "'|' is not an operator of index notation; write or(a, b)"},
    {"!", "'!' is not an operator of index notation; write not(a)"},
    {"%", "'%' is not an operator of index notation; write mod(a, b)"},
    {"^", "'^' is not an operator of index notation; write pow(a, b)"},
    {"[", "indices are written in parentheses, as in A(i,j)"},
    {"]", "indices are written in parentheses, as in A(i,j)"},
    {"{", "braces mean nothing in index notation; group with parentheses"},
    {"}", "braces mean nothing in index notation; group with parentheses"},
    {";", "a text holds one statement; leave out the ';' and give further statements one by one"},
    {"'", "there is no transposition sign; write the indices in the other order, as in A(j,i)"},
}};

class Lexer {
 public:
  Lexer(std::string_view text, SourceRange part, std::string_view what)
      : text_(text), at_(part.begin), end_(part.end), what_(what) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (true) {
      while (at_ < end_ && is_space(text_[at_])) ++at_;
      if (at_ == end_) break;
      tokens.push_back(next());
    }
    // One past the text, so that the caret stands where something is missing.
    tokens.push_back({TokenKind::End, {}, {end_, end_ + 1}});
    return tokens;
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < end_ ? text_[at_ + ahead] : '\0'; }

  Token make(TokenKind kind, std::size_t begin) const { return {kind, text_.substr(begin, at_ - begin), {begin, at_}}; }

  Token next() {
    const std::size_t begin = at_;
    const char c = peek();
    if (is_letter(c)) {
      while (is_letter(peek()) || is_digit(peek())) ++at_;
      return make(TokenKind::Name, begin);
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    for (const auto& [written, message] : habits) {
      if (text_.substr(at_, std::min(written.size(), end_ - at_)) == written)
        fail(written.size(), std::string(message));
    }
    if (c == '+' && peek(1) == '=') {
      at_ += 2;
      return make(TokenKind::Symbol, begin);
    }
    if (std::string_view("(),+-*/=").find(c) == std::string_view::npos) unknown(c);
    ++at_;
    return make(TokenKind::Symbol, begin);
  }

  void digits() {
    while (is_digit(peek())) ++at_;
  }

  Token number() {
    const std::size_t begin = at_;
    digits();
    if (peek() == '.') {
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        at_ += 1 + sign;
        digits();
      }
    }
    const Token token = make(TokenKind::Number, begin);
    if (!is_letter(peek()) && !is_digit(peek()) && peek() != '.') return token;
    while (is_letter(peek()) || is_digit(peek()) || peek() == '.') ++at_;
    throw Error(fmt::format("'{}' is neither a number nor a name; a product needs its '*', and numbers are decimal",
                            text_.substr(begin, at_ - begin)),
                {begin, at_}, std::string(text_));
  }

  [[noreturn]] void fail(std::size_t length, const std::string& message) const {
    throw Error(message, {at_, at_ + length}, std::string(text_));
  }

  [[noreturn]] void unknown(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      fail(1, fmt::format("byte 0x{:02X} at column {}: index notation is plain ASCII", byte, at_ + 1));
    }
    if (byte < 0x20 || byte == 0x7F) {
      fail(1, fmt::format("control character 0x{:02X} at column {} in the {}", byte, at_ + 1, what_));
    }
    fail(1, fmt::format("'{}' at column {} means nothing in index notation", c, at_ + 1));
  }

  std::string_view text_;
  std::size_t at_;
  std::size_t end_;
  std::string_view what_;
};

}  // namespace

std::vector<Token> lex(std::string_view text, SourceRange part, std::string_view what) {
  return Lexer(text, part, what).run();
}

}  // namespace lacuna::notation
