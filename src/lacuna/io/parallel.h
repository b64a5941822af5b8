#pragma once

#include <cstddef>
#include <functional>

namespace lacuna {

/// How reading is spread over threads. `block_bytes` is the least that a thread takes at a time.
struct ReadContext {
  int threads = 1;
  std::size_t block_bytes = std::size_t{1} << 18U;
  std::function<void(double fraction)> progress;
  /// Is told bytes that were looked through, of which few will be read soon.
  std::function<void(std::size_t begin, std::size_t end)> passed;
};

/// Runs work(i) for every i in [0, count), each once, on up to `threads` threads (support/threads.h) of which the
/// caller is one. `done(n)`, if not empty, is called by the caller only, now and then, with the number of finished
/// items. When calls throw, items after the first that threw may be left out, and the exception of the lowest throwing
/// item is rethrown: it does not depend on the number of threads.
void run_parallel(int threads, std::size_t count, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& done = {});

}  // namespace lacuna
