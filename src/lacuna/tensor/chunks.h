#pragma once

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

namespace lacuna {

/// How many of `threads` are worth starting for `size` elements of cheap work.
inline int worthwhile_threads(int threads, std::int64_t size) {
  constexpr std::int64_t least_share = 1 << 16;
  return static_cast<int>(std::clamp<std::int64_t>(size / least_share, 1, std::max(threads, 1)));
}

/// Calls f(chunk, begin, end) for `chunks` equal pieces of [0, size), each in a thread of its own but the last. `f`
/// must not throw. A thread that the system refuses is no failure: its chunk runs here.
template <typename F>
void run_chunks(int chunks, std::int64_t size, const F& f) {
  const auto bound = [&](int chunk) { return size / chunks * chunk + std::min<std::int64_t>(size % chunks, chunk); };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(chunks));
  for (int chunk = 0; chunk + 1 < chunks; ++chunk) {
    try {
      threads.emplace_back([&f, &bound, chunk] { f(chunk, bound(chunk), bound(chunk + 1)); });
    } catch (const std::system_error&) {
      f(chunk, bound(chunk), bound(chunk + 1));
    }
  }
  f(chunks - 1, bound(chunks - 1), bound(chunks));
  for (std::thread& thread : threads) thread.join();
}

}  // namespace lacuna
