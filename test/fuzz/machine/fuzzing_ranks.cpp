#include "fuzz/machine/fuzzing_ranks.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

namespace lacuna::fuzz {
namespace {

constexpr unsigned most_seconds = 120;

// What a signal handler may use.
std::array<char, 256> hanging;

void end_hanging(int) {
  // Nothing is left to do where this cannot be written.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, hanging.data(), std::strlen(hanging.data()));
  ::_exit(1);
}

}  // namespace

FuzzingRanks::~FuzzingRanks() { ::alarm(0); }

void FuzzingRanks::begin(const std::string& name, std::function<std::string()> describe) {
  describe_ = std::move(describe);
  if (ranks() == 1) return;
  ::alarm(0);
  const std::string text = fmt::format("FAILED at {}: rank {} waits for ever\n", name, rank());
  hanging.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), hanging.size() - 1), hanging.begin());
  std::signal(SIGALRM, end_hanging);
  ::alarm(most_seconds);
}

void FuzzingRanks::abort(const std::string& message, int exit_code) {
  const std::string all = describe_ ? fmt::format("{}\nFAILED at {}", message, describe_()) : message;
  ranks_.abort(all, exit_code);
  std::abort();  // GCC 12 takes the virtual call for one that returns
}

}  // namespace lacuna::fuzz
