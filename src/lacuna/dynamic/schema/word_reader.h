#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "lacuna/dynamic/schema/scanner.h"

namespace lacuna::schema {

/// Walks over the words of a level file, or of a function in it, with one word of lookahead: what the parsers of both
/// languages share. `Words` hands them out, one each time that `next` is called.
template <typename Words>
class WordReader {
 public:
  const Source& source() const { return source_; }
  const Token& peek() const { return token_; }
  bool at_end() const { return token_.kind == TokenKind::End; }

  Token take() { return std::exchange(token_, words_.next()); }
  /// Takes the next word if it is this one.
  bool take_if(std::string_view word) {
    const bool there = token_.is(word);
    if (there) take();
    return there;
  }
  /// Throws Error unless the next word is `symbol`; `why` says where it belongs: "after the name of a field".
  Token expect(std::string_view symbol, std::string_view why) {
    if (!token_.is(symbol)) fail("expected '{}' {}, not {}", symbol, why, found());
    return take();
  }
  /// The next word as messages show it: quoted, or "the end of the file".
  std::string found() const {
    return at_end() ? fmt::format("the end of the {}", whole_) : fmt::format("'{}'", shown(token_.text));
  }

  /// Throws Error at the next word.
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> reason, Args&&... args) const {
    fail_at(source_, token_.where, reason, std::forward<Args>(args)...);
  }

 protected:
  /// `whole` says what is read: "file".
  WordReader(const Source& source, Words words, std::string_view whole)
      : source_(source), words_(std::move(words)), whole_(whole), token_(words_.next()) {}

  /// A word that looks like a name, whether it may be one or not. `what` says of what: "the name of a field".
  const Token& expect_word(std::string_view what) const {
    if (token_.kind != TokenKind::Name) fail("expected {}, not {}", what, found());
    return token_;
  }
  Name take_name() {
    const Token word = take();
    return {std::string(word.text), word.where};
  }
  Words& words() { return words_; }
  /// Goes on behind what `words` skipped.
  void go_on() { token_ = words_.next(); }

 private:
  const Source& source_;
  Words words_;
  std::string_view whole_;
  Token token_;
};

}  // namespace lacuna::schema
