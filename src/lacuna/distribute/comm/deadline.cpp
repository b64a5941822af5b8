#include "lacuna/distribute/comm/deadline.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace lacuna {

Deadline::Deadline(std::chrono::milliseconds limit, std::string message, int exit_code,
                   std::function<bool()> is_hopeless) {
  message += '\n';
  try {
    thread_ = std::thread([this, limit, message = std::move(message), exit_code, is_hopeless = std::move(is_hopeless)] {
      wait(limit, message, exit_code, is_hopeless);
    });
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

void Deadline::wait(std::chrono::milliseconds limit, const std::string& message, int exit_code,
                    const std::function<bool()>& is_hopeless) {
  std::unique_lock lock(mutex_);
  do {
    if (ended_.wait_for(lock, limit, [&] { return is_over_; })) return;
  } while (!is_hopeless());
  std::fputs(message.c_str(), stderr);
  std::fflush(stderr);
  std::_Exit(exit_code);
}

}  // namespace lacuna
