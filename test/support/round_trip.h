#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "lacuna/schedule/automatic/automatic.h"

namespace lacuna {

/// How the loops, tensors and copies differ that the directives of a scheduled statement make once they are printed,
/// parsed and given back by hand; none where they do not. No directives are a schedule that is chosen automatically,
/// and so the same.
inline std::optional<std::string> round_trip_difference(const ScheduleProblem& problem, const Scheduled& first) {
  const std::string text = to_string(first.schedule);
  try {
    const Scheduled again = schedule_as_asked(problem, parse_schedule(text));
    const std::string before = concrete::to_string(first.program), after = concrete::to_string(again.program);
    if (before != after) return fmt::format("{}\nmakes\n{}\nwhere it stands for\n{}", text, after, before);
    if (to_string(again.schedule) != text) return fmt::format("{}\nis printed as\n{}", text, to_string(again.schedule));
    if (again.copies.size() != first.copies.size()) return fmt::format("{}\nmakes other copies", text);
  } catch (const Error& refused) {
    return fmt::format("{}\nis refused: {}", text, refused.what());
  }
  return std::nullopt;
}

}  // namespace lacuna
