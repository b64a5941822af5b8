#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lacuna/schedule/complete/apply.h"

namespace lacuna {

/// Tries schedules of one statement. Each is applied from where it begins to differ from the one that was tried before:
/// a search adds directives to what it has, and takes the last ones back.
class ScheduleTrials {
 public:
  ScheduleTrials(Scheduled bare, const ScheduleProblem& problem) : bare_(std::move(bare)), problem_(&problem) {}

  const Scheduled& bare() const { return bare_; }
  const ScheduleProblem& problem() const { return *problem_; }

  /// The loops as the directives leave them; none where one is refused.
  std::optional<Scheduled> directed(const Schedule& schedule);
  /// The same, completed.
  std::optional<Scheduled> completed(const Schedule& schedule);
  /// Puts a longer schedule, and what it makes, in place of those so far, if it is legal. Whether it is.
  bool take(Schedule next, Schedule& schedule, Scheduled& best);
  /// The same as completed(), of a schedule that is legal. Throws InternalError where it is not.
  Scheduled required(const Schedule& schedule);

 private:
  Outcome direct(const Schedule& schedule);
  Outcome complete(const Schedule& schedule);

  struct Applied {
    std::string directive;  // as text
    Scheduled after;
  };
  Scheduled bare_;
  const ScheduleProblem* problem_;
  std::vector<Applied> applied_;
};

}  // namespace lacuna
