#include "lacuna/format/schema/token_reader.h"

#include <charconv>

#include "lacuna/format/schema/words.h"

namespace lacuna::schema {

std::string TokenReader::found() const {
  return at_end() ? std::string("the end of the file") : fmt::format("'{}'", shown(token_.text));
}

Token TokenReader::expect(std::string_view symbol, std::string_view why) {
  if (!token_.is(symbol)) fail("expected '{}' {}, not {}", symbol, why, found());
  return take();
}

Name TokenReader::name(std::string_view what) {
  if (token_.kind != TokenKind::Name) fail("expected the name of {}, not {}", what, found());
  if (is_reserved(token_.text)) {
    fail("'{}' is a word of the language and cannot name {}; take another, such as {}_", token_.text, what,
         token_.text);
  }
  const Token word = take();
  return {std::string(word.text), word.where};
}

Number TokenReader::digits() {
  if (token_.kind != TokenKind::Number) fail("expected a number, not {}", found());
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), value);
  if (status != std::errc() || value > largest_number) {
    fail("{} is too large; sizes are 32-bit integers, at most {}", shown(token_.text), largest_number);
  }
  const Token word = take();
  return {value, {}, word.where};
}

Place TokenReader::raw(std::string_view open, std::string_view why) {
  if (!token_.is(open)) fail("expected '{}' {}, not {}", open, why, found());
  const Place inside = lexer_.raw(token_);
  token_ = lexer_.next();
  return inside;
}

}  // namespace lacuna::schema
