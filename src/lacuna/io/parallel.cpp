#include "lacuna/io/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "lacuna/support/threads.h"

namespace lacuna {
namespace {

// Items are taken in ascending order, so that every item below the first that failed has been taken and will finish.
class Run {
 public:
  Run(std::size_t count, const std::function<void(std::size_t)>& work) : work_(work), failed_(count) {}

  /// Takes and does one item; false when none is left.
  bool step() {
    const std::size_t item = next_.fetch_add(1);
    if (item >= failed_.load()) return false;
    try {
      work_(item);
    } catch (...) {
      fail(item);
    }
    finished_.fetch_add(1);
    return true;
  }
  std::size_t finished() const { return finished_.load(); }
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  void fail(std::size_t item) {
    const std::lock_guard lock(mutex_);
    if (item >= failed_.load()) return;
    failed_.store(item);
    exception_ = std::current_exception();
  }

  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> finished_ = 0;
  std::atomic<std::size_t> failed_;  // the lowest item that threw, or the number of items
  std::mutex mutex_;
  std::exception_ptr exception_;
};

}  // namespace

void run_parallel(int threads, std::size_t count, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& done) {
  Run run(count, work);
  std::exception_ptr report_failed;
  const auto report = [&] {
    if (!done || report_failed) return;
    try {
      done(run.finished());
    } catch (...) {
      report_failed = std::current_exception();
    }
  };
  const auto wanted = std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(count, 1));
  on_threads(static_cast<int>(wanted), [&](int thread) {
    while (run.step())
      if (thread == 0) report();
  });
  run.rethrow();
  if (report_failed) std::rethrow_exception(report_failed);
}

}  // namespace lacuna
