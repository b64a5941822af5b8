#pragma once

#include <string>
#include <string_view>

#include <fmt/core.h>

#include "lacuna/support/error.h"

namespace lacuna {

/// Why a directive cannot be applied, or not together with the others.
struct Refusal {
  std::string directive;   // its name, as schedules write it
  std::string reason;      // what is wrong
  std::string fix;         // what to write instead; empty where the reason says it
  SourceRange where = {};  // of the directive in the schedule's text, if known

  /// "reorder: the reason; the fix"
  std::string text() const;
};

/// A refusal on its way from the code that finds it to whoever applies the directives.
class Refused : public Error {
 public:
  /// `schedule`: the text that the refusal's place is in.
  explicit Refused(Refusal refusal, std::string schedule = {});
  const Refusal& refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

/// Throws Refused. `message`: the reason and, after a semicolon, the fix.
[[noreturn]] void refuse_as(std::string_view directive, const std::string& message);

template <typename... Args>
[[noreturn]] void refuse(std::string_view directive, fmt::format_string<Args...> message, Args&&... args) {
  refuse_as(directive, fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace lacuna
