#pragma once

#include <map>
#include <string>

#include "lacuna/engine/engine.h"
#include "lacuna/schedule/language/schedule.h"
#include "lacuna/schedule/problem/problem.h"

namespace lacuna {

/// A statement over random operands, and what schedules make of it: what tests of directives share.
class Subject {
 public:
  /// `formats` by operand; sparse operands hold about half of their entries. Without `extents`, i takes 12 values, j
  /// 10, k 9, l 8. The result's format is inferred if none is given.
  Subject(const std::string& text, const std::map<std::string, std::string>& formats,
          const std::string& result_format = {}, const std::map<std::string, std::int64_t>& extents = {});

  /// The loops as the directives leave them: temporaries are not placed yet. What the schedule computes is compared
  /// with the definition, and a difference is a failure of the test.
  std::string loops(const std::string& schedule) const;
  /// The statement as it is lowered: all that `loops` checks, too.
  Scheduled finished(const std::string& schedule) const;
  /// The message that the schedule is refused with, from applying it to lowering it. A schedule that is accepted, or
  /// refused by anything but an Error that names the directive, is a failure of the test.
  std::string refusal(const std::string& schedule) const;
  /// The message that a directive on its own is refused with.
  std::string refusal_of(const DirectiveKind& directive) const;
  /// How what the schedule computes differs from the definition; empty when it does not. Runs in the interpreter.
  std::string difference(const std::string& schedule) const;
  /// The same of a compiled kernel.
  std::string compiled_difference(const std::string& schedule) const;
  /// The generated C function.
  std::string c_code(const std::string& schedule) const;

 private:
  ScheduleProblem problem(const std::string& schedule) const;
  std::string refusal(const Schedule& schedule) const;

  Request request_;
};

}  // namespace lacuna
