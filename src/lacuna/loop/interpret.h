#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/loop/counters.h"
#include "lacuna/loop/ir.h"
#include "lacuna/support/error.h"
#include "lacuna/support/owned_memory.h"

namespace lacuna::loop {

/// A device that runs launches in the interpreter's place. All arrays of the program are then in its memory, which it
/// knows by handles.
class LaunchTarget {
 public:
  virtual ~LaunchTarget() = default;
  /// So many bytes, zero if asked for; null where there is no memory for them.
  virtual void* allocate(std::int64_t bytes, bool zeroed) = 0;
  virtual void release(void* memory) = 0;
  /// Begins to run a launch, with what it captured: scalars and handles. What follows waits for it.
  virtual void launch(const Launch& launch, std::int64_t blocks, const std::vector<struct Binding>& captured) = 0;
  /// What launches so far left at some bytes of memory.
  virtual void read(const void* memory, std::int64_t offset, void* to, std::int64_t bytes) = 0;
  /// As realloc.
  virtual void* resize(void* memory, std::int64_t old_bytes, std::int64_t bytes) = 0;
};

/// What a parameter is bound to: a scalar, or memory of `count` elements of the parameter's element type (or packed
/// records).
struct Binding {
  Scalar scalar;
  void* data = nullptr;
  std::int64_t count = 0;
};

/// An Out parameter afterwards: a scalar, or memory that the caller now owns. `data` is null when the kernel allocated
/// none: then the memory that was bound still stands.
struct Output {
  Scalar scalar;
  OwnedMemory data;
  void* on_device =
      nullptr;  // in place of `data`, where a device ran the launches: a handle, which is the caller's now
  std::int64_t count = 0;
};

struct Interpretation {
  std::vector<Output> outputs;  // one a parameter; empty for those that are not `out`
  Counters counters;
};

/// A check failed: out of bounds, a read of memory never written, overflow of index arithmetic, two parallel iterations
/// touching one element, a loop beyond `max_steps`. A bug of ours, with the statement and the values.
class CheckFailure : public InternalError {
 public:
  using InternalError::InternalError;
};

struct InterpretOptions {
  std::int64_t max_steps = 2'000'000'000;          // loop iterations and calls
  std::int64_t max_depth = 1000;                   // of calls
  std::int64_t max_bytes = std::int64_t{1} << 33;  // of one array
  bool check_races = true;
};

namespace interpreter {
struct Program;
}

/// A module made ready to run any number of times. Immutable: threads may share it.
class Interpreter {
 public:
  /// The module must be well-formed (see `verify`). Throws InternalError when it uses what it does not declare.
  explicit Interpreter(Module module);
  ~Interpreter();
  Interpreter(Interpreter&&) noexcept;
  Interpreter& operator=(Interpreter&&) noexcept;
  /// As `interpret`. `device`: runs the launches, and has all memory.
  Interpretation run(const std::vector<Binding>& bindings, const InterpretOptions& options = {},
                     LaunchTarget* device = nullptr) const;

 private:
  std::unique_ptr<const interpreter::Program> program_;
};

/// Runs the kernel on `bindings` (one a parameter, in order) and checks everything that C would leave undefined.
/// Parallel loops run in another order than they are written, on one thread.
Interpretation interpret(const Module& module, const std::vector<Binding>& bindings,
                         const InterpretOptions& options = {});

}  // namespace lacuna::loop
