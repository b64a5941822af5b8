#pragma once

#include "lacuna/compile/engine/compiler.h"

namespace lacuna {

/// A compiler that tries the functions of level files before it compiles them (level_trials.h): what a program
/// evaluates statements with.
class Engine : public Compiler {
 public:
  /// `jit`: where and how kernels are compiled.
  explicit Engine(JitOptions jit);
};

}  // namespace lacuna
