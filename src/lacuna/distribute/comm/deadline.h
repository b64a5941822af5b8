#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lacuna {

/// Ends this process with a message unless it is gone in time: around calls that may wait for ever, and that nothing
/// calls off. Does nothing where there is no memory for the thread that waits.
class Deadline {
 public:
  /// `is_hopeless`: whether to end when the time is over. If not, it is asked again when as much time has passed again.
  Deadline(
      std::chrono::milliseconds limit, std::string message, int exit_code,
      std::function<bool()> is_hopeless = [] { return true; });
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  void wait(std::chrono::milliseconds limit, const std::string& message, int exit_code,
            const std::function<bool()>& is_hopeless);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace lacuna
