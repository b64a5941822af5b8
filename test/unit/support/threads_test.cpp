#include "lacuna/support/threads.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace lacuna::threads_test {
namespace {

TEST(Threads, EachNumberIsCalledOnce) {
  for (const int count : {0, 1, 2, 7, 64}) {
    std::mutex mutex;
    std::vector<int> calls(static_cast<std::size_t>(count), 0);
    on_threads(count, [&](int n) {
      const std::scoped_lock lock(mutex);
      ++calls.at(static_cast<std::size_t>(n));
    });
    EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(count), 1));
  }
}

TEST(Threads, TheCallerIsTheFirst) {
  std::thread::id first;
  on_threads(4, [&](int n) {
    if (n == 0) first = std::this_thread::get_id();
  });
  EXPECT_EQ(first, std::this_thread::get_id());
}

TEST(Threads, InsideOfACallItIsTheCallerThatWorks) {
  std::mutex mutex;
  std::vector<int> calls;
  on_threads(2, [&](int outer) {
    const std::thread::id self = std::this_thread::get_id();
    on_threads(3, [&](int inner) {
      const std::scoped_lock lock(mutex);
      calls.push_back(10 * outer + inner);
      EXPECT_EQ(std::this_thread::get_id(), self);
    });
  });
  std::sort(calls.begin(), calls.end());
  EXPECT_EQ(calls, (std::vector<int>{0, 1, 2, 10, 11, 12}));
}

// What OpenMP keeps for a thread does not survive a fork.
TEST(Threads, RunInAForkedProcess) {
  std::atomic<int> calls = 0;
  const auto work = [&] { on_threads(3, [&](int) { ++calls; }); };
  work();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(20);
    work();
    ::_exit(calls == 6 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(Threads, ThereIsAProcessor) { EXPECT_GE(usable_processors(), 1); }

}  // namespace
}  // namespace lacuna::threads_test
