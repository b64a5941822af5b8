#include "lacuna/distribute/comm/together.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

#include "lacuna/support/error.h"

namespace lacuna {
namespace {

/// How something ended on a rank.
struct Outcome {
  char kind = 'w';                // w: well, u: user's mistake, r: run-time failure, b: bug
  std::string message;            // with its carets
  std::vector<std::string> what;  // where the rank was

  std::string to_text() const {
    std::string text(1, kind);
    const auto add = [&](const std::string& each) { text += fmt::format("{} {}", each.size(), each); };
    add(message);
    for (const std::string& each : what) add(each);
    return text;
  }
  static Outcome from_text(const std::string& text) {
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
};

/// The first item in which a rank is elsewhere than rank 0.
std::pair<std::string, std::string> difference(const Outcome& first, const Outcome& other) {
  const std::size_t most = std::min(first.what.size(), other.what.size());
  std::size_t k = 0;
  while (k + 1 < most && first.what[k] == other.what[k]) ++k;
  return {first.what.at(k), other.what.at(k)};
}

std::string quoted(const std::string& text) { return text.empty() ? "nothing" : fmt::format("'{}'", text); }

/// What all ranks throw together: whoever is outside need not ask the others again.
class AgreedByAll {};
class AgreedError : public Error, public AgreedByAll {
 public:
  using Error::Error;
};
class AgreedFailure : public RuntimeFailure, public AgreedByAll {
 public:
  using RuntimeFailure::RuntimeFailure;
};
class AgreedBug : public InternalError, public AgreedByAll {
 public:
  using InternalError::InternalError;
};

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

[[noreturn]] void throw_agreed(char kind, const std::string& message) {
  if (kind == 'u') throw AgreedError(message);
  if (kind == 'r') throw AgreedFailure(message);
  throw AgreedBug(message);
}

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
  const auto failed = std::find_if(all.begin(), all.end(), [](const Outcome& o) { return o.kind != 'w'; });
  if (failed != all.end()) {
    const bool shared = !says_rank || std::all_of(all.begin(), all.end(), [&](const Outcome& o) {
      return o.kind == failed->kind && o.message == failed->message;
    });
    throw_agreed(failed->kind,
                 shared ? failed->message
                        : fmt::format("on rank {} of {}: {}", failed - all.begin(), all.size(), failed->message));
  }
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

void run_or_abort(Communicator& ranks, const std::function<void()>& run) {
  const Outcome outcome = outcome_of({}, run);
  if (outcome.kind == 'w') return;
  // What fails on several ranks is mostly one thing, which the first of them says, and ends the others.
  std::this_thread::sleep_for(std::chrono::milliseconds(200) * std::min(ranks.rank(), 5));
  ranks.abort(fmt::format("lacuna: error: on rank {} of {}: {}", ranks.rank(), ranks.ranks(), outcome.message),
              outcome.kind == 'u'   ? 2
              : outcome.kind == 'r' ? 1
                                    : 70);
}

}  // namespace lacuna
