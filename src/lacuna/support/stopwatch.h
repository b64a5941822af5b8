#pragma once

#include <chrono>

namespace lacuna {

/// Times one step after the other, if somebody asks: clocks take longer than small kernels do.
class Stopwatch {
 public:
  explicit Stopwatch(bool runs) : runs_(runs) { restart(); }
  /// Puts the milliseconds since the last step into `ms`.
  void step(double& ms) {
    if (!runs_) return;
    ms = std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
    restart();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void restart() {
    if (runs_) start_ = Clock::now();
  }
  bool runs_;
  Clock::time_point start_;
};

}  // namespace lacuna
