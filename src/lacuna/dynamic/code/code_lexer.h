#pragma once

#include "lacuna/dynamic/schema/scanner.h"

namespace lacuna::schema {

/// Reads a function of a level file word by word. The brackets in its text match (Lexer::raw saw to it).
class CodeLexer : private Scanner {
 public:
  /// Reads what lies in `range` of the source.
  CodeLexer(const Source& source, SourceRange range) : Scanner(source, range) {}

  /// The next word; at the end, again and again, an End. Throws Error at what is no word.
  Token next();

 private:
  Token number();
  Token symbol();
};

}  // namespace lacuna::schema
