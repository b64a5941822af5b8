#include "lacuna/support/threads.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

// The only file that starts threads for work. They are OpenMP's, which a program often has already: threads beside
// these, which wait for more work for a while, would have to share processors with them. Only where OpenMP is missing,
// or a sanitizer cannot see how it keeps order, are there threads of our own.
namespace lacuna {

int usable_processors() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

#ifdef _OPENMP

namespace {

/// How often this process, or one that it comes from, was forked since its program began.
std::atomic<int> forks = 0;

/// OpenMP keeps threads for each thread that had some. A fork leaves them behind, and OpenMP would wait for them
/// forever.
bool lost_its_threads() {
  static const bool counts = pthread_atfork(nullptr, nullptr, [] { ++forks; }) == 0;
  thread_local const int forks_before = forks;
  return counts && forks != forks_before;
}

void on_team(int count, const std::function<void(int)>& f) {
#pragma omp parallel for schedule(static, 1) num_threads(count) if (count > 1)
  for (int n = 0; n < count; ++n) f(n);
}

}  // namespace

void on_threads(int count, const std::function<void(int)>& f) {
  if (count > 1 && lost_its_threads()) std::thread([&] { on_team(count, f); }).join();  // gets threads of its own
  else on_team(count, f);
}

#else

void on_threads(int count, const std::function<void(int)>& f) {
  thread_local bool is_inside = false;
  const auto call = [&](int n) {
    const bool was_inside = std::exchange(is_inside, true);
    f(n);
    is_inside = was_inside;
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(std::max(count, 1)));
  int started = 1;
  try {
    for (; started < count && !is_inside; ++started) threads.emplace_back(call, started);
  } catch (const std::system_error&) {
    // A thread that the system refuses is no failure: the caller does its work.
  }
  if (count > 0) call(0);
  for (int n = started; n < count; ++n) call(n);
  for (std::thread& thread : threads) thread.join();
}

#endif

}  // namespace lacuna
