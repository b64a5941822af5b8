#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/codegen/prelude/lacuna_kernel.h"
#include "lacuna/support/environment.h"

namespace lacuna {

struct JitOptions {
  std::string compiler;            // a command, e.g. "cc" or "ccache gcc" (command.h); from Environment
  std::vector<std::string> flags;  // default_c_flags() unless changed
  std::string cache_folder;        // empty: no disk cache
  std::string keep_folder;         // empty: do not keep the C text
};

/// -std=gnu11 -O3 -march=native -fPIC -shared -fopenmp-simd -fno-math-errno -fwrapv …: keeps IEEE NaN, infinity and
/// signed zero, and rounds every operation.
std::vector<std::string> default_c_flags();
JitOptions jit_options(const Environment& environment);

/// A loaded kernel; unloads when the last copy goes.
class CompiledKernel {
 public:
  lacuna_entry entry() const { return entry_; }
  /// Whether the disk cache had it, so that no compiler was started for it in this process.
  bool from_disk_cache() const { return from_disk_; }
  /// Whether this process had loaded it already.
  bool from_memory_cache() const { return from_memory_; }

 private:
  friend class Jit;
  std::shared_ptr<void> library_;
  lacuna_entry entry_ = nullptr;
  bool from_disk_ = false;
  bool from_memory_ = false;
};

/// Turns C text into functions. Holds the in-memory cache (thread-safe; keyed by text, compiler identity and flags);
/// the disk cache is atomic (written beside, then renamed), owner-only, verified on load and repaired when damaged, and
/// safe with several processes, of which one compiles a kernel that several want at once.
class Jit {
 public:
  explicit Jit(JitOptions options);
  ~Jit();
  /// Compiles and loads, or finds. Throws RuntimeFailure when there is no compiler, it fails, or the result cannot be
  /// loaded, and InternalError when the compiler finds a fault in the text. A read-only or full cache folder is not an
  /// error: a temporary folder is used and `warnings()` says so. `libraries`: the files of shared libraries whose
  /// functions the code calls, such as "libopenblas.so.0", linked in where the linker finds them. `before_compiling` is
  /// called, if given, where no cache has the kernel; what it throws stops the load.
  CompiledKernel load(const std::string& code, const std::string& entry, const std::vector<std::string>& libraries = {},
                      const std::function<void()>& before_compiling = {});
  std::vector<std::string> warnings() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lacuna
