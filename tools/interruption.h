#pragma once

#include <atomic>
#include <memory>

namespace lacuna::tool {

/// SIGINT (Ctrl-C), SIGTERM and SIGHUP end the command by the same signal, as they would without this, but nothing is
/// left of it: a C compiler that runs is killed, and temporary files and folders are removed. What ignores a signal,
/// as `nohup` makes it do, still does.
///
/// To be made before there are other threads, which take over that a thread of its own waits for these signals.
class Interruption {
 public:
  Interruption();

  /// Waits for the end where a signal has come, so that nothing is said of what the end of the compiler led to.
  void wait_if_taken();

 private:
  /// Shared with the thread, which goes on until the process ends.
  struct State {
    std::atomic<bool> is_taken = false;    // a signal has come
    std::atomic<bool> is_waiting = false;  // the command does nothing more
  };
  static void end_by(int signal, State& state);

  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace lacuna::tool
