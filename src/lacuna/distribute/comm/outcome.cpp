#include "lacuna/distribute/comm/outcome.h"

#include <algorithm>
#include <exception>
#include <new>

#include <fmt/core.h>

namespace lacuna {

std::string Outcome::to_text() const {
  std::string text(1, kind);
  const auto add = [&](const std::string& each) { text += fmt::format("{} {}", each.size(), each); };
  add(message);
  for (const std::string& each : what) add(each);
  return text;
}

Outcome Outcome::from_text(const std::string& text) {
  Outcome outcome{text[0], "", {}};
  for (std::size_t at = 1; at < text.size();) {
    const std::size_t space = text.find(' ', at);
    const auto size = static_cast<std::size_t>(std::stoull(text.substr(at, space - at)));
    outcome.what.push_back(text.substr(space + 1, size));
    at = space + 1 + size;
  }
  outcome.message = outcome.what.front();
  outcome.what.erase(outcome.what.begin());
  return outcome;
}

Outcome outcome_of(const std::vector<std::string>& what, const std::function<void()>& run) {
  try {
    run();
    return {'w', "", what};
  } catch (const AgreedByAll&) {
    throw;
  } catch (const Error& error) {
    return {'u', describe_with_caret(error), what};
  } catch (const RuntimeFailure& failure) {
    return {'r', failure.what(), what};
  } catch (const std::bad_alloc&) {
    return {'r', "out of memory", what};
  } catch (const std::exception& bug) {
    return {'b', bug.what(), what};
  }
}

void throw_agreed(char kind, const std::string& message) {
  if (kind == 'u') throw AgreedError(message);
  if (kind == 'r') throw AgreedFailure(message);
  throw AgreedBug(message);
}

void throw_first_failure(const std::vector<Outcome>& all, bool says_rank) {
  const auto failed = std::find_if(all.begin(), all.end(), [](const Outcome& o) { return o.kind != 'w'; });
  if (failed == all.end()) return;
  const bool shared = !says_rank || std::all_of(all.begin(), all.end(), [&](const Outcome& o) {
    return o.kind == failed->kind && o.message == failed->message;
  });
  throw_agreed(failed->kind,
               shared ? failed->message
                      : fmt::format("on rank {} of {}: {}", failed - all.begin(), all.size(), failed->message));
}

void throw_interruption(const std::vector<std::string>& said) {
  std::vector<Outcome> all;
  for (const std::string& text : said) all.push_back(text.empty() ? Outcome() : Outcome::from_text(text));
  throw_first_failure(all, true);
  throw AgreedBug("internal error: ranks were interrupted, and none says why");
}

}  // namespace lacuna
