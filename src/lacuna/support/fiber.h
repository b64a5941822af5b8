#pragma once

#include <functional>
#include <memory>

namespace lacuna {

/// A function with a stack of its own, which runs until it pauses, and goes on from there when it is resumed. On the
/// thread of its caller: nothing runs at the same time.
class Fiber {
 public:
  /// Does not run yet.
  explicit Fiber(std::function<void()> function);
  /// It is done, or was never resumed: what is on its stack is not destroyed.
  ~Fiber();
  Fiber(Fiber&&) noexcept;
  Fiber& operator=(Fiber&&) noexcept;

  /// Runs it until it pauses or is done. What it throws is thrown here; then it is done.
  void resume();
  bool is_done() const;
  /// Goes back to who resumed the fiber that calls this.
  static void pause();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lacuna
