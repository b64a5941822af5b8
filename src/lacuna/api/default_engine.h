#pragma once

#include <memory>
#include <optional>

#include "lacuna/format/distribution/machine.h"
#include "lacuna/schedule/language/schedule.h"

namespace lacuna {

class Communicator;
class Device;  // device/device.h
class Engine;  // engine/engine.h

/// The one engine of the process that tensors use unless they are given another: made on first use as the environment
/// says (`lacuna help environment`), kept until the process ends. Thread-safe.
Engine& default_engine();

/// How to evaluate a tensor; nothing here changes what is computed.
struct EvaluateOptions {
  Engine* engine = nullptr;    // none: default_engine()
  int threads = 0;             // 0: OMP_NUM_THREADS, else every processor
  bool deterministic = false;  // sums are the same in every run, also where a device is faster without
  Schedule schedule = {};      // as schedule() or parse_schedule() make it; empty: automatic
  /// What it runs on. None: where tensors are placed; where none is and no loop is distributed, one processor.
  std::optional<Machine> machine = {};
  /// What emulates the processors. None: this process does. All ranks evaluate the same. All get the result, unless it
  /// is placed: then each has its parts.
  Communicator* ranks = nullptr;
  /// Runs the loops, as one that open_opencl() gives (device/device.h); operands are copied to it, and results back.
  /// None: processors do. On a machine, all processors of this rank run on it.
  std::shared_ptr<Device> device = nullptr;
  /// On a machine, in place of `device`: the k-th memory's processors run on number k modulo their count
  /// (open_devices()). Those that no processor of this rank needs may be null.
  std::vector<std::shared_ptr<Device>> devices = {};
};

}  // namespace lacuna
