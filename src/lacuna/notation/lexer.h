#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/support/error.h"

namespace lacuna::notation {

enum class TokenKind : std::uint8_t { Name, Number, Symbol, End };

/// One word of index notation. Symbols are ( ) , + - * / = and +=.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // points into the lexed text
  SourceRange where;
  bool is(std::string_view symbol) const { return kind == TokenKind::Symbol && text == symbol; }
};

/// Splits a part of a text into words; the last one is an End. `what` names the part in messages ("statement"). Throws
/// Error at a character that index notation does not know, saying what to write instead where that can be told (`==`,
/// `^`, `[`, …).
std::vector<Token> lex(std::string_view text, SourceRange part, std::string_view what);

}  // namespace lacuna::notation
