#include "lacuna/concrete/refusal.h"

namespace lacuna {

std::string Refusal::text() const { return directive + ": " + reason + (fix.empty() ? "" : "; " + fix); }

Refused::Refused(Refusal refusal, std::string schedule)
    : Error(refusal.text(), refusal.where, std::move(schedule)), refusal_(std::move(refusal)) {}

void refuse_as(std::string_view directive, const std::string& message) {
  constexpr std::string_view separator = "; ";
  const std::size_t end = message.find(separator);
  Refusal refusal{std::string(directive), message.substr(0, end), {}};
  if (end != std::string::npos) refusal.fix = message.substr(end + separator.size());
  throw Refused(std::move(refusal));
}

}  // namespace lacuna
