#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lacuna::loop::interpreter {

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

  void enter_loop() { active_.push_back({next_, next_}); }
  /// Of which all iterations run at once, and go on in any order.
  void enter_interleaved_loop() { active_.push_back({next_, next_, true}); }
  void next_iteration() { active_.back().current = next_++; }
  /// Goes on with an iteration that began at this time, after others began.
  void resume_iteration(Stamp began) { active_.back().current = began; }
  void leave_loop() { active_.pop_back(); }

  /// Whether what happened at `then` may run at the same time as what happens now, on another thread of one of the
  /// loops from the given depth on.
  bool is_concurrent(Stamp then, std::size_t depth) const {
    for (std::size_t k = depth; k < active_.size(); k++) {
      const Loop& loop = active_[k];
      if (then >= loop.first && (loop.interleaved ? then != loop.current : then < loop.current)) return true;
    }
    return false;
  }

 private:
  struct Loop {
    Stamp first;
    Stamp current;
    bool interleaved = false;
  };
  std::vector<Loop> active_;  // outermost first
  Stamp next_ = 1;
};

/// Who touched one element last. A stamp is replaced only by iterations that cannot run at the same time, so one of
/// each kind suffices to find every conflict.
struct Touch {
  IterationClock::Stamp write = 0;
  IterationClock::Stamp atomic = 0;
  IterationClock::Stamp read = 0;
};

}  // namespace lacuna::loop::interpreter
