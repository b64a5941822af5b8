#include "lacuna/dynamic/schema/token_reader.h"

#include <charconv>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/code_words.h"
#include "lacuna/dynamic/schema/words.h"

namespace lacuna::schema {

Name TokenReader::name(std::string_view what) {
  const Token& word = expect_word(fmt::format("the name of {}", what));
  if (is_reserved(word.text)) fail_reserved(word, what);
  return take_name();
}

Name TokenReader::definition(std::string_view what) {
  const Token& word = expect_word(fmt::format("the name of {}", what));
  if (is_code_word(word.text)) fail_reserved(word, what);
  return name(what);
}

void TokenReader::fail_reserved(const Token& word, std::string_view what) const {
  fail("'{}' is a word of the language and cannot name {}; take another, such as {}_", word.text, what, word.text);
}

Number TokenReader::digits() {
  if (peek().kind != TokenKind::Number) fail("expected a number, not {}", found());
  const std::string_view text = peek().text;
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || value > largest_number) {
    fail("{} is too large; sizes are 32-bit integers, at most {}", shown(text), largest_number);
  }
  const Token word = take();
  return {value, {}, word.where};
}

Place TokenReader::raw(std::string_view open, std::string_view why) {
  if (!peek().is(open)) fail("expected '{}' {}, not {}", open, why, found());
  const Place inside = words().raw(peek());
  go_on();
  return inside;
}

}  // namespace lacuna::schema
