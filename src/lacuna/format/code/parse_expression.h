#pragma once

#include "lacuna/format/code/code_lexer.h"
#include "lacuna/format/code/program.h"

namespace lacuna::schema {

/// Walks over the words of a function with one word of lookahead, and bounds how deep what it reads is nested.
class CodeReader {
 public:
  CodeReader(const Source& source, SourceRange range) : source_(source), lexer_(source, range), token_(lexer_.next()) {}

  const Source& source() const { return source_; }
  const Token& peek() const { return token_; }
  bool at_end() const { return token_.kind == TokenKind::End; }
  Token take() { return std::exchange(token_, lexer_.next()); }
  bool take_if(std::string_view word) {
    const bool there = token_.is(word);
    if (there) take();
    return there;
  }
  /// Throws Error unless the next word is `symbol`; `why` says where it belongs.
  Token expect(std::string_view symbol, std::string_view why);
  /// A name that is no word of the language. `what` says whose: "a variable".
  Name name(std::string_view what);
  /// The name of a type.
  Name type();
  /// The next word as messages show it.
  std::string found() const;

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> reason, Args&&... args) const {
    fail_at(source_, token_.where, reason, std::forward<Args>(args)...);
  }

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

  const Source& source_;
  CodeLexer lexer_;
  Token token_;
  int depth_ = 0;
};

/// Reads one expression.
CodeExpr read_expression(CodeReader& in);

}  // namespace lacuna::schema
