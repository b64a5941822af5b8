#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lacuna/schedule/language/schedule.h"
#include "lacuna/schedule/language/text.h"
#include "lacuna/schedule/language/words.h"
#include "lacuna/support/text_case.h"

namespace lacuna {

/// The arguments of one directive, read one by one. Everything here throws Error with a caret at the argument and names
/// the directive by its form.
class Arguments {
 public:
  Arguments(std::string_view text, const schedule_text::Call& call, std::string_view form)
      : text_(text), call_(call), form_(form) {}

  std::size_t count() const { return call_.arguments.size(); }
  SourceRange at(std::size_t k) const { return call_.arguments[k]; }
  std::string_view text(std::size_t k) const { return schedule_text::part(text_, at(k)); }
  std::string_view schedule() const { return text_; }
  std::string_view form() const { return form_; }

  /// Refuses fewer or more arguments than this, and missing ones.
  void require_count(std::size_t least, std::size_t most) const;

  /// A name of a variable or of a tensor.
  std::string variable(std::size_t k) const;
  std::string tensor(std::size_t k) const;
  /// One variable, or several different ones in braces.
  std::vector<std::string> variables(std::size_t k) const;
  /// Argument k, or each of what it holds in braces.
  std::vector<SourceRange> items(std::size_t k) const;
  std::string variable(SourceRange where) const;
  /// A whole number from `least` to `most`; `what` says which it is ("size", "mode").
  std::int64_t number(SourceRange where, std::string_view what, std::int64_t least, std::int64_t most) const;
  std::int64_t number(std::size_t k, std::string_view what, std::int64_t least, std::int64_t most) const {
    return number(at(k), what, least, most);
  }
  /// The value of one of the words; `what` says what they stand for.
  template <typename Value>
  Value word(std::size_t k, std::string_view what, std::span<const ScheduleWord<Value>> words) const {
    std::vector<std::string_view> known;
    for (const ScheduleWord<Value>& each : words) {
      if (same_word(each.text, text(k))) return each.value;
      if (!each.alias) known.push_back(each.text);
    }
    fail_word(k, what, known);
  }
  /// Refuses equal names among these.
  void require_different(const std::vector<std::string>& names) const;

  /// "'x'" for messages: one line, and not a whole file.
  std::string shown(SourceRange where) const;
  [[noreturn]] void fail(SourceRange where, const std::string& message) const;

 private:
  std::string name(SourceRange where, std::string_view what) const;
  [[noreturn]] void fail_word(std::size_t k, std::string_view what, const std::vector<std::string_view>& known) const;

  std::string_view text_;
  const schedule_text::Call& call_;
  std::string_view form_;
};

}  // namespace lacuna
