#include "lacuna/distribute/communicate/together.h"

#include <algorithm>
#include <new>

#include "lacuna/support/error.h"

namespace lacuna {
namespace {

/// How something ended on a rank.
struct Outcome {
  char kind = 'w';      // w: well, u: user's mistake, r: run-time failure, b: bug
  std::string message;  // with its carets
  std::string what;     // where the rank was

  std::string to_text() const { return kind + std::to_string(message.size()) + ' ' + message + what; }
  static Outcome from_text(const std::string& text) {
    const std::size_t space = text.find(' ');
    const auto size = static_cast<std::size_t>(std::stoull(text.substr(1, space - 1)));
    return {text[0], text.substr(space + 1, size), text.substr(space + 1 + size)};
  }
};

/// What all ranks throw together: whoever is outside need not ask the others again.
class Agreed {};
class AgreedError : public Error, public Agreed {
 public:
  using Error::Error;
};
class AgreedFailure : public RuntimeFailure, public Agreed {
 public:
  using RuntimeFailure::RuntimeFailure;
};
class AgreedBug : public InternalError, public Agreed {
 public:
  using InternalError::InternalError;
};

Outcome outcome_of(const std::string& what, const std::function<void()>& run) {
  try {
    run();
    return {'w', "", what};
  } catch (const Agreed&) {
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

}  // namespace

void together(Communicator& ranks, const std::string& what, const std::function<void()>& run) {
  if (ranks.ranks() == 1) return run();
  std::vector<Outcome> all;
  for (const std::string& text : ranks.gather_all(outcome_of(what, run).to_text()))
    all.push_back(Outcome::from_text(text));
  const auto failed = std::find_if(all.begin(), all.end(), [](const Outcome& o) { return o.kind != 'w'; });
  if (failed != all.end()) {
    const bool shared = std::all_of(all.begin(), all.end(), [&](const Outcome& o) {
      return o.kind == failed->kind && o.message == failed->message;
    });
    throw_agreed(failed->kind,
                 shared ? failed->message
                        : fmt::format("on rank {} of {}: {}", failed - all.begin(), all.size(), failed->message));
  }
  const auto other = std::find_if(all.begin(), all.end(), [&](const Outcome& o) { return o.what != all[0].what; });
  if (other != all.end())
    throw_agreed('u', fmt::format("the ranks do not run the same program: rank 0 is at {}, and rank {} at {}",
                                  all[0].what, other - all.begin(), other->what));
}

void or_abort(Communicator& ranks, const std::function<void()>& run) {
  if (ranks.ranks() == 1) return run();
  std::string message;
  int code = 0;
  try {
    return run();
  } catch (const Agreed&) {
    throw;
  } catch (const Error& error) {
    message = describe_with_caret(error);
    code = exit_code_of(error);
  } catch (const std::exception& error) {
    message = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory" : error.what();
    code = exit_code_of(error);
  }
  ranks.abort(fmt::format("lacuna: error: on rank {} of {}: {}", ranks.rank(), ranks.ranks(), message), code);
}

int exit_code_of(const std::exception& thrown) {
  if (dynamic_cast<const Error*>(&thrown) != nullptr) return 2;
  const bool outside = dynamic_cast<const RuntimeFailure*>(&thrown) != nullptr ||
                       dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr;
  return outside ? 1 : 70;
}

}  // namespace lacuna
