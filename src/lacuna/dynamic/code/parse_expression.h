#pragma once

#include "lacuna/dynamic/code/code_lexer.h"
#include "lacuna/dynamic/code/program.h"
#include "lacuna/dynamic/schema/word_reader.h"

namespace lacuna::schema {

/// Walks over the words of a function, and bounds how deep what it reads is nested.
class CodeReader : public WordReader<CodeLexer> {
 public:
  /// `whole` says what lies in the range: "function".
  CodeReader(const Source& source, SourceRange range, std::string_view whole)
      : WordReader(source, CodeLexer(source, range), whole) {}

  /// A name that is no word of the language. `what` says whose: "a variable".
  Name name(std::string_view what);
  /// The name of a type.
  Name type();

  /// One more thing inside another, or behind it in a chain; throws Error when there are too many.
  class Nested {
   public:
    explicit Nested(CodeReader& reader) : reader_(reader) { reader_.deeper(1); }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested() { reader_.depth_ -= own_; }
    void add() {
      reader_.deeper(1);
      ++own_;
    }

   private:
    CodeReader& reader_;
    int own_ = 1;
  };

 private:
  void deeper(int by);

  int depth_ = 0;
};

/// Reads one expression.
CodeExpr read_expression(CodeReader& in);

}  // namespace lacuna::schema
