#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include "lacuna/loop/interpret/control.h"
#include "lacuna/loop/interpret/machine.h"
#include "lacuna/support/fiber.h"

// Launches whose threads wait for each other. Each thread is a fiber with scalars and small arrays of its own. The
// blocks run one after the other; the threads of one run until all of them wait or are done, and those that wait at the
// same statement go on.
namespace lacuna::loop::interpreter {
namespace {

/// Thrown where a thread waits and another one failed.
struct Cancelled {};

}  // namespace

class ThreadBlock {
 public:
  ThreadBlock(const Step& launch, Machine& machine)
      : step_(launch), launch_(std::get<Launch>(launch.source->kind)), machine_(machine) {}

  void run(std::int64_t block) {
    start(block);
    try {
      while (resume_all()) go_on_where_all_wait();
    } catch (...) {
      const std::exception_ptr failure = std::current_exception();
      cancel();
      std::rethrow_exception(failure);
    }
    for (Thread& each : threads_) check_released(each);
  }

  /// Called by a thread.
  void exchange(const Step& at) {
    Thread& self = *running_;
    const Slot& given = self.slots[static_cast<std::size_t>(at.other_slot)];
    machine_.current = at.source;
    if (!given.assigned)
      machine_.fail_with("{} is exchanged before it is assigned", std::get<Exchange>(at.source->kind).value.name());
    self.value = given.value;
    wait(at);
    self.slots[static_cast<std::size_t>(at.slot)] = {self.value, true};
  }
  void wait(const Step& at) {
    running_->waits_at = at.source;
    Fiber::pause();
    if (is_cancelled_) throw Cancelled();
  }

  const BlockOrder& order() const { return order_; }

 private:
  struct Thread {
    std::unique_ptr<Fiber> fiber;
    std::vector<Slot> slots;
    std::vector<Memory*> arrays;
    std::vector<std::unique_ptr<Memory>> own;  // arrays that are not captured
    IterationClock::Stamp began = 0;
    bool is_started = false;
    const StmtNode* waits_at = nullptr;
    Value value;  // given, then got
  };

  void start(std::int64_t block) {
    const Frame& frame = machine_.innermost_frame();
    threads_.clear();
    threads_.resize(static_cast<std::size_t>(launch_.threads));
    order_.begin_block(machine_.clock.next());
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      Thread& each = threads_[t];
      each.slots = frame.slots;
      each.arrays = frame.arrays;
      give_own_arrays(each);
      each.slots[static_cast<std::size_t>(step_.slot)] = {put(block), true};
      each.slots[static_cast<std::size_t>(step_.other_slot)] = {put(static_cast<std::int64_t>(t)), true};
      take_stamp(t);
      each.fiber = std::make_unique<Fiber>([this] {
        machine_.count_step();
        if (step_.other->run(*step_.other, machine_) != Flow::Next)
          machine_.fail("a launch is left by break or return");
      });
    }
  }

  void give_own_arrays(Thread& thread) const {
    const FunctionCode& function = *machine_.function;
    for (std::size_t k = 0; k < function.locals.size(); ++k) {
      const Var& local = function.locals[k];
      if (std::find(launch_.captured.begin(), launch_.captured.end(), local) != launch_.captured.end()) continue;
      thread.own.push_back(std::make_unique<Memory>(local, function.local_bytes[k]));
      thread.arrays[static_cast<std::size_t>(function.array_parameters) + k] = thread.own.back().get();
    }
  }

  void take_stamp(std::size_t thread) {
    order_.take_stamp(thread);
    machine_.clock.next_iteration();
    threads_[thread].began = machine_.clock.now();
  }

  /// Whether some are not done then.
  bool resume_all() {
    bool is_any_left = false;
    // The last ones first: what threads do in the meantime has no order.
    for (auto each = threads_.rbegin(); each != threads_.rend(); ++each) {
      if (!each->fiber->is_done() && each->waits_at == nullptr) resume(*each);
      is_any_left = is_any_left || !each->fiber->is_done();
    }
    return is_any_left;
  }

  void resume(Thread& thread) {
    Slot* const slots = machine_.slots;
    Memory** const arrays = machine_.arrays;
    machine_.slots = thread.slots.data();
    machine_.arrays = thread.arrays.data();
    machine_.clock.resume_iteration(thread.began);
    order_.run(static_cast<std::size_t>(&thread - threads_.data()));
    running_ = &thread;
    thread.is_started = true;
    const auto leave = [&] {
      machine_.slots = slots;
      machine_.arrays = arrays;
    };
    try {
      thread.fiber->resume();
    } catch (...) {
      leave();
      throw;
    }
    leave();
  }

  void go_on_where_all_wait() {
    bool is_any_met = false;
    for (std::size_t first = 0; first < threads_.size();) {
      const StmtNode* at = threads_[first].waits_at;
      if (at == nullptr) {
        ++first;
        continue;
      }
      const auto* exchanged = std::get_if<Exchange>(&at->kind);
      const auto group =
          static_cast<std::size_t>(exchanged != nullptr ? exchanged->group : std::get<Barrier>(at->kind).group);
      if (first % group == 0 && do_all_wait(first, group, at)) {
        if (exchanged != nullptr) exchange(first, group, static_cast<std::size_t>(exchanged->offset));
        else meet(first, group);
        is_any_met = true;
        first += group;
      } else {
        ++first;
      }
    }
    if (!is_any_met) fail_to_meet();
  }

  bool do_all_wait(std::size_t first, std::size_t group, const StmtNode* at) const {
    return std::all_of(threads_.begin() + static_cast<std::ptrdiff_t>(first),
                       threads_.begin() + static_cast<std::ptrdiff_t>(first + group),
                       [&](const Thread& each) { return each.waits_at == at; });
  }

  void exchange(std::size_t first, std::size_t group, std::size_t offset) {
    std::vector<Value> given;
    for (std::size_t t = first; t < first + group; ++t) given.push_back(threads_[t].value);
    for (std::size_t t = first; t < first + group; ++t) {
      threads_[t].value = given[(t ^ offset) - first];
      threads_[t].waits_at = nullptr;
    }
  }

  void meet(std::size_t first, std::size_t group) {
    order_.meet(group, first, machine_.clock.next());
    for (std::size_t t = first; t < first + group; ++t) {
      take_stamp(t);
      threads_[t].waits_at = nullptr;
    }
  }

  [[noreturn]] void fail_to_meet() const {
    const auto waiting =
        std::find_if(threads_.begin(), threads_.end(), [](const Thread& each) { return each.waits_at != nullptr; });
    machine_.current = waiting->waits_at;
    machine_.fail_with("thread {} of {} waits for others of its group, which do not come", waiting - threads_.begin(),
                       launch_.name);
  }

  /// Ends those that wait, for what is on their stacks.
  void cancel() {
    is_cancelled_ = true;
    for (Thread& each : threads_) {
      if (each.fiber->is_done() || !each.is_started) continue;
      try {
        resume(each);
      } catch (const Cancelled&) {
      }
    }
  }

  void check_released(const Thread& thread) const {
    for (const auto& each : thread.own)
      if (each->is_owned()) machine_.fail_with("{} is never released ({} elements)", each->name(), each->count());
  }

  const Step& step_;
  const Launch& launch_;
  Machine& machine_;
  BlockOrder order_;
  std::vector<Thread> threads_;
  Thread* running_ = nullptr;
  bool is_cancelled_ = false;
};

Flow run_blocks(const Step& launch, std::int64_t blocks, Machine& machine) {
  const bool was_racing = machine.racing;
  machine.racing = machine.options().check_races;
  ThreadBlock threads(launch, machine);
  machine.clock.enter_launch(threads.order());
  machine.threads = &threads;
  for (std::int64_t b = 0; b < blocks; ++b) threads.run(b);
  machine.threads = nullptr;
  machine.clock.leave_loop();
  machine.racing = was_racing;
  return Flow::Next;
}

Flow run_exchange(const Step& step, Machine& machine) {
  machine.threads->exchange(step);
  return Flow::Next;
}

Flow run_barrier(const Step& step, Machine& machine) {
  machine.threads->wait(step);
  return Flow::Next;
}

}  // namespace lacuna::loop::interpreter
