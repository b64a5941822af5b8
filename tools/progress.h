#pragma once

#include <chrono>
#include <string>

namespace lacuna::tool {

/// A bar on stderr for work that takes long: only on a terminal, only after one second, erased at the end. Never where
/// `shown` is false.
class Progress {
 public:
  explicit Progress(std::string label, bool shown = true);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Says how much is done, in [0, 1]. Cheap enough to call often.
  void update(double fraction);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool terminal_ = false;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace lacuna::tool
