#include "lacuna/dynamic/schema/scanner.h"

#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {

Token Scanner::name() {
  const std::size_t begin = at_;
  while (is_letter(peek()) || is_digit(peek())) ++at_;
  if (at_ - begin > longest_name) {
    fail_at(source_, place(begin), "a name of {} characters; {} are the most", at_ - begin, longest_name);
  }
  return make(TokenKind::Name, begin);
}

bool Scanner::skip_comment() {
  if (peek() != '/' || (peek(1) != '/' && peek(1) != '*')) return false;
  const bool line = peek(1) == '/';
  const std::size_t close = source_.text.substr(0, end_).find(line ? "\n" : "*/", at_ + 2);
  if (close == std::string_view::npos && !line) {
    fail_at(source_, {{at_, at_ + 2}}, "the comment that begins here is not closed; write */ where it ends");
  }
  at_ = close == std::string_view::npos ? end_ : close + (line ? 1 : 2);
  return true;
}

void Scanner::skip_spaces() {
  while (!at_end()) {
    if (is_space(peek())) ++at_;
    else if (!skip_comment()) return;
  }
}

void Scanner::fail_unknown(std::string_view whole) const {
  const Place here{{at_, at_ + 1}};
  const auto byte = static_cast<unsigned char>(peek());
  if (byte >= 0x80) fail_at(source_, here, "byte 0x{:02X}: outside comments, {} is plain ASCII", byte, whole);
  fail_at(source_, here, "'{}' means nothing in {}; take it out", peek(), whole);
}

}  // namespace lacuna::schema
