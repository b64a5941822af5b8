#include <algorithm>
#include <numeric>

#include "lacuna/loop/interpret/control.h"
#include "lacuna/loop/interpret/machine.h"

namespace lacuna::loop::interpreter {
namespace {

/// Visits [0, n) in another order than ascending: a walk whose stride shares no factor with n.
class ShuffledWalk {
 public:
  explicit ShuffledWalk(std::uint64_t n) : n_(n), stride_(n > 2 ? n / 2 + n / 8 + 1 : 1), position_(n / 2) {
    while (std::gcd(stride_, n_) != 1) stride_++;
  }
  std::uint64_t next() {
    const std::uint64_t now = position_;
    position_ = (position_ + stride_) % n_;
    return now;
  }

 private:
  std::uint64_t n_;
  std::uint64_t stride_;
  std::uint64_t position_;
};

/// Threads that run one after another, each some of the iterations. Every one starts with the setup and ends with the
/// teardown, so that nothing of its own outlives it. Only the first setup and the last teardown are counted: what ran
/// is what one thread would have run.
class Threads {
 public:
  Threads(const Step& step, std::uint64_t trips, Machine& machine)
      : step_(step), machine_(machine), turns_(std::max<std::uint64_t>(2, trips / 8)) {}

  void start() {
    if (!has_own()) return;
    uncounted([&] {  // a thread that comes too late for any iteration
      run(step_.setup);
      run(step_.teardown);
    });
    run(step_.setup);
  }
  /// Another thread may take over before the iteration at a position of the walk. Loops are short or take turns of many
  /// iterations, for a setup may be work.
  void before_iteration(std::uint64_t at) {
    if (!has_own()) return;
    const std::uint64_t mixed = (at + 1) * 0x9E3779B97F4A7C15U >> 32U;
    if (mixed % turns_ != 0) return;
    uncounted([&] {
      run(step_.teardown);
      run(step_.setup);
    });
  }
  void finish() {
    if (has_own()) run(step_.teardown);
  }

 private:
  bool has_own() const { return step_.setup || step_.teardown; }

  void run(const Step* step) {
    if (!step) return;
    machine_.clock.next_iteration();  // what it does to memory of others may meet any iteration
    if (step->run(*step, machine_) != Flow::Next) machine_.fail("a parallel loop is left by break or return");
  }

  template <typename Run>
  void uncounted(Run what) {
    Machine::Tally before = machine_.tally();
    what();
    machine_.set_tally(std::move(before));
  }

  const Step& step_;
  Machine& machine_;
  std::uint64_t turns_;  // how many iterations a thread runs, more or less
};

}  // namespace

// Iterations of a Vector loop run in order: their reductions are often sums of floats, and lanes do run in lockstep.
Flow run_parallel(const Step& step, std::int64_t low, std::uint64_t trips, Machine& machine) {
  const bool shuffled = std::get<For>(step.source->kind).mode == LoopMode::Parallel;
  ShuffledWalk walk(trips);
  Threads threads(step, trips, machine);
  const bool was_racing = machine.racing;
  machine.racing = machine.options().check_races;
  machine.clock.enter_loop();
  threads.start();
  for (std::uint64_t k = 0; k < trips; k++) {
    const std::uint64_t at = shuffled ? walk.next() : k;
    if (k > 0) threads.before_iteration(at);
    machine.clock.next_iteration();
    const auto index =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + at * static_cast<std::uint64_t>(step.step));
    if (run_iteration(step, index, machine) != Flow::Next) machine.fail("a parallel loop is left by break or return");
  }
  threads.finish();
  machine.clock.leave_loop();
  machine.racing = was_racing;
  return Flow::Next;
}

}  // namespace lacuna::loop::interpreter
