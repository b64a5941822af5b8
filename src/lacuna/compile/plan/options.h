#pragma once

#include <functional>
#include <memory>
#include <string>

#include "lacuna/device/device.h"
#include "lacuna/jit/jit.h"
#include "lacuna/loop/interpret.h"
#include "lacuna/support/device_language.h"
#include "lacuna/support/processor.h"

namespace lacuna {

/// Where kernels run. A value; part of every cache key.
struct Target {
  enum class Backend : std::uint8_t { C, Interpreter } backend = Backend::C;
  int threads = 1;
  std::int64_t vector_bytes = vector_register_bytes();  // of all vector registers; 0: kernels use none
  std::optional<CacheSizes> caches = {};                // none: this machine's
  std::optional<bool> blas = {};  // whether kernels may call BLAS unasked; none: where this machine has one
  bool deterministic = false;     // sums are added up in an order that no run changes
  /// Kernels are programs for a device, in this language: launches of functions that its threads run.
  std::optional<DeviceLanguage> device = {};
  std::shared_ptr<Device> on = nullptr;  // runs them; none: they can be shown, and the interpreter emulates a device
  /// On a machine: what its processors run on, the k-th memory on number k modulo their count; none: all on `on`. Those
  /// that no processor of this rank needs may be null.
  std::vector<std::shared_ptr<Device>> devices = {};
};

/// One stage of a compilation as `lacuna show` prints it.
struct Stage {
  std::string name;    // "notation", "concrete", "lattice", "iterators", "passes", "loops", "c"
  std::string folder;  // the folder of src/lacuna that made it
  std::string text;
  double milliseconds = 0;
};
using StageHook = std::function<void(const Stage&)>;

/// How to compile; nothing here changes results.
struct Options {
  Target target;
  StageHook on_stage;         // called after every pass; may be empty (then stages are not even printed)
  bool shows_passes = false;  // whether on_stage gets the loops after each pass over them, too
  bool shows_ptx = false;     // whether it gets what NVRTC makes of a program for CUDA, too
  loop::InterpretOptions interpret;
  std::string kernel_name = "kernel";  // of the C function: an identifier
  bool checks_arguments = false;       // the kernel looks at its descriptors: one that other programs call
  bool stop_before_code = false;       // only plan and lower: `show` of stages before "c" without a C compiler
};

}  // namespace lacuna
