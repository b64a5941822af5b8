#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lacuna/loop/interpret.h"
#include "lacuna/loop/interpret/code.h"
#include "lacuna/loop/interpret/memory.h"
#include "lacuna/loop/interpret/races.h"

namespace lacuna::loop::interpreter {

/// A scalar variable.
struct Slot {
  Value value;
  bool assigned = false;
};

/// The variables of one running function.
struct Frame {
  std::vector<Slot> slots;
  std::vector<Memory*> arrays;
  std::vector<std::unique_ptr<Memory>> locals;
};

/// What runs a program once: its frames, its counters and its checks.
class Machine {
 public:
  Machine(const Program& program, const InterpretOptions& options, LaunchTarget* on = nullptr);

  // What every node touches stays public and plain, for this is the inner loop.
  Slot* slots = nullptr;
  Memory** arrays = nullptr;
  const FunctionCode* function = nullptr;
  const StmtNode* current = nullptr;  // the running statement, for messages
  Value result;                       // of the function that returns
  std::int64_t operations = 0;
  std::int64_t bytes_loaded = 0;
  std::int64_t bytes_stored = 0;
  IterationClock clock;
  LaunchTarget* const device;            // runs the launches, if it is not null
  bool racing = false;                   // inside a parallel loop whose accesses are checked
  class ThreadBlock* threads = nullptr;  // of a launch whose threads wait for each other, inside of it

  const InterpretOptions& options() const { return options_; }
  std::int64_t& trips(std::int32_t counter) { return trips_[static_cast<std::size_t>(counter)]; }

  /// What ran so far; going back to it leaves out what ran meanwhile.
  struct Tally {
    std::int64_t operations, bytes_loaded, bytes_stored;
    std::vector<std::int64_t> trips;
  };
  Tally tally() const { return {operations, bytes_loaded, bytes_stored, trips_}; }
  void set_tally(Tally tally);

  /// One turn of a loop, or a call. Fails when the run takes longer than it may.
  void count_step() {
    if (++steps_ > options_.max_steps) fail_runaway();
  }

  /// A fresh frame, not yet the current one; arrays that are declared start without memory.
  Frame& push_frame(const FunctionCode& function);
  /// Makes `frame` the current one.
  void use_frame(Frame& frame, const FunctionCode& function);
  /// Ends the innermost frame. Fails when an array that it declared still has memory.
  void pop_frame();
  const Frame& innermost_frame() const { return *frames_[depth_ - 1]; }
  Frame& innermost_frame() { return *frames_[depth_ - 1]; }

  /// Throws CheckFailure with the message, the statement and the values of its variables.
  [[noreturn]] void fail(const std::string& what) const;
  template <typename... Args>
  [[noreturn]] void fail_with(fmt::format_string<Args...> message, Args&&... args) const {
    fail(fmt::format(message, std::forward<Args>(args)...));
  }

  Counters counters() const;

 private:
  [[noreturn]] void fail_runaway() const;
  std::string values_of_variables() const;

  const Program& program_;
  InterpretOptions options_;
  std::int64_t steps_ = 0;
  std::vector<std::int64_t> trips_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::size_t depth_ = 0;
};

}  // namespace lacuna::loop::interpreter
