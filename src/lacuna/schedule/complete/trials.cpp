#include "lacuna/schedule/complete/trials.h"

#include "lacuna/support/check.h"

namespace lacuna {
namespace {

std::optional<Scheduled> if_legal(Outcome outcome) {
  if (std::holds_alternative<Refusal>(outcome)) return std::nullopt;
  return std::get<Scheduled>(std::move(outcome));
}

}  // namespace

Outcome ScheduleTrials::direct(const Schedule& schedule) {
  std::size_t k = 0;
  for (const Directive& d : schedule.directives) {
    std::string text = to_string(d);
    if (k == applied_.size() || applied_[k].directive != text) {
      applied_.resize(k);
      Outcome next = apply_directive(k == 0 ? bare_ : applied_.back().after, d);
      if (std::holds_alternative<Refusal>(next)) return next;
      applied_.push_back({std::move(text), std::get<Scheduled>(std::move(next))});
    }
    ++k;
  }
  return k == 0 ? bare_ : applied_[k - 1].after;
}

Outcome ScheduleTrials::complete(const Schedule& schedule) {
  Outcome loops = direct(schedule);
  if (std::holds_alternative<Refusal>(loops)) return loops;
  return complete_schedule(std::get<Scheduled>(loops), *problem_, schedule);
}

std::optional<Scheduled> ScheduleTrials::directed(const Schedule& schedule) { return if_legal(direct(schedule)); }

std::optional<Scheduled> ScheduleTrials::completed(const Schedule& schedule) { return if_legal(complete(schedule)); }

bool ScheduleTrials::take(Schedule next, Schedule& schedule, Scheduled& best) {
  auto taken = completed(next);
  if (!taken) return false;
  best = std::move(*taken);
  schedule = std::move(next);
  return true;
}

Scheduled ScheduleTrials::required(const Schedule& schedule) {
  Outcome all = complete(schedule);
  const auto* refusal = std::get_if<Refusal>(&all);
  internal_check(refusal == nullptr, "an automatic schedule is refused: {}", refusal == nullptr ? "" : refusal->text());
  return std::get<Scheduled>(std::move(all));
}

}  // namespace lacuna
