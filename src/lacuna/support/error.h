#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace lacuna {

/// A half-open byte range of the text a user wrote, for the caret under an error. `end == 0` means "nowhere".
struct SourceRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool known() const { return end > begin; }
};

/// A user's mistake: names the thing that is wrong and the fix. The command exits with 2.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  Error(const std::string& message, SourceRange where, std::string text)
      : std::runtime_error(message), where_(where), text_(std::move(text)) {}

  /// Where in `text()` the mistake is; not `known()` when the mistake has no place in a text.
  SourceRange where() const { return where_; }
  /// The user's text that `where()` points into (an expression, a schedule, a line of a file).
  const std::string& text() const { return text_; }

 private:
  SourceRange where_;
  std::string text_;
};

/// Something outside the program failed: disk full, out of memory, no compiler. The command exits with 1.
class RuntimeFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A bug of ours; says so. The command exits with 70.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Renders the message, the text and a line of carets under `where`, as the command prints it (no trailing newline).
std::string describe_with_caret(const Error& error);

}  // namespace lacuna
