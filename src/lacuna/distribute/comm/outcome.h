#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lacuna/support/error.h"

namespace lacuna {

/// How something ended on a rank.
struct Outcome {
  char kind = 'w';                // w: well, u: user's mistake, r: run-time failure, b: bug
  std::string message;            // with its carets
  std::vector<std::string> what;  // where the rank was

  std::string to_text() const;
  static Outcome from_text(const std::string& text);
};

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

/// Runs something, and says how that ended. Throws what is AgreedByAll.
Outcome outcome_of(const std::vector<std::string>& what, const std::function<void()>& run);

[[noreturn]] void throw_agreed(char kind, const std::string& message);

/// Throws what the first rank that failed says, if one did. `says_rank`: a message that not all share says on which
/// rank.
void throw_first_failure(const std::vector<Outcome>& all, bool says_rank);

/// The same of what ranks said when they were interrupted (Communicator::interrupt).
[[noreturn]] void throw_interruption(const std::vector<std::string>& said);

}  // namespace lacuna
