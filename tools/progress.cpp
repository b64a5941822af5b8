#include "tools/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace lacuna::tool {

Progress::Progress(std::string label, bool shown)
    : label_(std::move(label)), terminal_(shown && isatty(STDERR_FILENO) == 1), start_(Clock::now()), last_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::update(double fraction) {
  if (!terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  constexpr int width = 30;
  const double done = std::clamp(fraction, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(done * width);
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  std::fputs(fmt::format("\r\033[K{} [{}] {:3.0f} %", label_, bar, done * 100).c_str(), stderr);
}

}  // namespace lacuna::tool
