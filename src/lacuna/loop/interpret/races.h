#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace lacuna::loop::interpreter {

class BlockOrder;

/// Which parallel iterations are running, as numbers that only ever grow, so that whether an earlier access can run at
/// the same time as the present one is a comparison of numbers.
///
/// Each execution of a parallel loop notes the next number as its first, and each iteration takes a number. A number
/// then belongs to an earlier iteration of an active loop, or of a loop inside that iteration, exactly if it lies in
/// [first of the loop, number of its present iteration).
class IterationClock {
 public:
  using Stamp = std::int64_t;  // 0: never

  /// How many parallel loops are running, one inside the other.
  std::size_t depth() const { return active_.size(); }
  Stamp now() const { return active_.back().current; }
  /// That the next iteration gets.
  Stamp next() const { return next_; }

  void enter_loop() { active_.push_back({next_, next_}); }
  /// Of the threads of a launch, which run at once, and wait for each other as `order` says.
  void enter_launch(const BlockOrder& order) { active_.push_back({next_, next_, &order}); }
  void next_iteration() { active_.back().current = next_++; }
  /// Goes on with an iteration that began at this time, after others began.
  void resume_iteration(Stamp began) { active_.back().current = began; }
  void leave_loop() { active_.pop_back(); }

  /// Whether what happened at `then` may run at the same time as what happens now, on another thread of one of the
  /// loops from the given depth on.
  bool is_concurrent(Stamp then, std::size_t depth) const;

 private:
  struct Loop {
    Stamp first;
    Stamp current;
    const BlockOrder* order = nullptr;
  };
  std::vector<Loop> active_;  // outermost first
  Stamp next_ = 1;
};

/// What the threads of a block did before others of it, since they waited for each other. A thread takes a stamp when
/// it starts, and another one after each barrier.
class BlockOrder {
 public:
  using Stamp = IterationClock::Stamp;

  void begin_block(Stamp first) {
    first_ = first;
    threads_.clear();
    barriers_.clear();
  }
  /// The next stamp is this thread's.
  void take_stamp(std::size_t thread) { threads_.push_back(thread); }
  /// The thread that runs now.
  void run(std::size_t thread) { running_ = thread; }
  /// What those of the group with `thread` did before `now` is before what any of them does from now on.
  void meet(std::size_t group, std::size_t thread, Stamp now) { barriers_[group][thread / group] = now; }

  bool is_before_running(Stamp then) const {
    if (then < first_) return false;  // of another block
    const std::size_t thread = threads_[static_cast<std::size_t>(then - first_)];
    if (thread == running_) return true;
    for (const auto& [group, last] : barriers_) {
      const auto mine = last.find(running_ / group);
      if (mine != last.end() && thread / group == running_ / group && then < mine->second) return true;
    }
    return false;
  }

 private:
  Stamp first_ = 0;
  std::size_t running_ = 0;
  std::vector<std::size_t> threads_;                              // that took the stamps from first_ on
  std::map<std::size_t, std::map<std::size_t, Stamp>> barriers_;  // the last one of each group, by the groups' size
};

inline bool IterationClock::is_concurrent(Stamp then, std::size_t depth) const {
  for (std::size_t k = depth; k < active_.size(); k++) {
    const Loop& loop = active_[k];
    if (then < loop.first) continue;
    if (loop.order != nullptr ? !loop.order->is_before_running(then) : then < loop.current) return true;
  }
  return false;
}

/// Who touched one element last. A stamp is replaced only by iterations that cannot run at the same time, so one of
/// each kind suffices to find every conflict in a loop. In a launch, one that read may wait for the one that writes
/// while another one that read does not: so there are two.
struct Touch {
  IterationClock::Stamp write = 0;
  IterationClock::Stamp atomic = 0;
  IterationClock::Stamp read = 0;
  IterationClock::Stamp other_read = 0;
};

}  // namespace lacuna::loop::interpreter
