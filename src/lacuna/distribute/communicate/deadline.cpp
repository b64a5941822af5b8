#include "lacuna/distribute/communicate/deadline.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace lacuna {

Deadline::Deadline(std::chrono::milliseconds limit, std::string message, int exit_code) {
  message += '\n';
  try {
    thread_ = std::thread([this, limit, message = std::move(message), exit_code] { wait(limit, message, exit_code); });
  } catch (const std::exception&) {
    // Whoever waits for this rank has a deadline, too.
  }
}

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Deadline::wait(std::chrono::milliseconds limit, const std::string& message, int exit_code) {
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, limit, [&] { return is_over_; })) return;
  std::fputs(message.c_str(), stderr);
  std::fflush(stderr);
  std::_Exit(exit_code);
}

}  // namespace lacuna
