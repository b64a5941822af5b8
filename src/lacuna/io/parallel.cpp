#include "lacuna/io/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

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
  const auto helpers_wanted =
      std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(count, 1)) - 1;
  std::vector<std::thread> helpers;
  helpers.reserve(helpers_wanted);
  try {
    for (std::size_t i = 0; i < helpers_wanted; ++i) {
      helpers.emplace_back([&run] {
        while (run.step()) {
        }
      });
    }
  } catch (const std::system_error&) {
    // The system grants no more threads: those that there are do the work.
  }
  std::exception_ptr report_failed;
  while (run.step()) {
    if (!done || report_failed) continue;
    try {
      done(run.finished());
    } catch (...) {
      report_failed = std::current_exception();
    }
  }
  for (std::thread& helper : helpers) helper.join();
  run.rethrow();
  if (report_failed) std::rethrow_exception(report_failed);
}

}  // namespace lacuna
