#include "lacuna/distribute/comm/together.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/core.h>

#include "lacuna/distribute/comm/outcome.h"

namespace lacuna {
namespace {

/// The first item in which a rank is elsewhere than rank 0.
std::pair<std::string, std::string> difference(const Outcome& first, const Outcome& other) {
  const std::size_t most = std::min(first.what.size(), other.what.size());
  std::size_t k = 0;
  while (k + 1 < most && first.what[k] == other.what[k]) ++k;
  return {first.what.at(k), other.what.at(k)};
}

std::string quoted(const std::string& text) { return text.empty() ? "nothing" : fmt::format("'{}'", text); }

constexpr char short_mark = 's';  // the kind of no outcome
bool is_short(const std::string& text) { return text[0] == short_mark; }

void together(Communicator& ranks, const std::vector<std::string>& what, const std::function<void()>& run,
              bool says_rank) {
  if (ranks.ranks() == 1) return run();
  const std::string mine = outcome_of(what, run).to_text();
  std::vector<std::string> texts = ranks.gather_all(mine);
  // Those that asked in short say it in full next.
  while (std::any_of(texts.begin(), texts.end(), is_short)) texts = ranks.gather_all(mine);
  const auto is_mine = [&](const std::string& text) { return text == mine; };
  if (mine[0] == 'w' && std::all_of(texts.begin(), texts.end(), is_mine)) return;
  std::vector<Outcome> all;
  for (const std::string& text : texts) all.push_back(Outcome::from_text(text));
  throw_first_failure(all, says_rank);
  const auto other = std::find_if(all.begin(), all.end(), [&](const Outcome& o) { return o.what != all[0].what; });
  if (other == all.end()) return;
  const auto [here, there] = difference(all[0], *other);
  throw_agreed('u', fmt::format("the ranks do not run the same program: rank 0 is at {}, and rank {} at {}",
                                quoted(here), other - all.begin(), quoted(there)));
}

}  // namespace

void together(Communicator& ranks, const std::vector<std::string>& what, const std::function<void()>& run) {
  together(ranks, what, run, true);
}

bool said_by_all(Communicator& ranks, Said& said) {
  said.mine.insert(said.mine.begin(), short_mark);
  ranks.gather_all(said.mine, said.all);
  said.mine.erase(0, 1);
  if (!std::all_of(said.all.begin(), said.all.end(), is_short)) return false;
  for (std::string& text : said.all) text.erase(0, 1);
  return true;
}

void together_as_one(Communicator& ranks, const std::vector<std::string>& what, const std::function<void()>& run) {
  together(ranks, what, run, false);
}

void on_first(Communicator& ranks, const std::vector<std::string>& what, const std::function<void()>& run) {
  together(ranks, what, [] {});
  together_as_one(ranks, what, [&] {
    if (ranks.rank() == 0) run();
  });
}

namespace {

/// What fails on several ranks is mostly one thing, which the first of them says, and ends the others.
void abort_with(const Outcome& outcome, Communicator& ranks) {
  std::this_thread::sleep_for(std::chrono::milliseconds(200) * std::min(ranks.rank(), 5));
  ranks.abort(fmt::format("lacuna: error: on rank {} of {}: {}", ranks.rank(), ranks.ranks(), outcome.message),
              outcome.kind == 'u'   ? 2
              : outcome.kind == 'r' ? 1
                                    : 70);
}

}  // namespace

void run_or_abort(Communicator& ranks, const std::function<void()>& run, AtTheEnd at_the_end) {
  const Outcome outcome = outcome_of({}, run);
  const bool throws = ranks.failures() == Failures::Throw;
  if (outcome.kind == 'w') {
    // Nobody is through before all are: else some would throw, and others be gone.
    if (throws && at_the_end == AtTheEnd::WaitForAll) together(ranks, {"the end of what ranks do together"}, [] {});
    return;
  }
  if (throws) throw_interruption(ranks.interrupt(outcome.to_text()));
  abort_with(outcome, ranks);
}

}  // namespace lacuna
