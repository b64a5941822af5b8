#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "lacuna/codegen/c/print.h"
#include "lacuna/compile/plan/options.h"
#include "lacuna/dynamic/kernels/update.h"

namespace lacuna {

/// A compiled update kernel; of the interpreter, one made ready to run.
struct UpdatePlan {
  Lowered lowered;
  CSource source;
  CompiledKernel kernel;
  std::optional<loop::Interpreter> interpreter;
  std::vector<std::int64_t> needs;  // of UpdatePart::Entries: needs_of_update
};

/// The passes of make_plan from the loop IR on. Throws Error where lower_update and `before_compiling` do.
std::shared_ptr<const UpdatePlan> make_update_plan(const UpdateRequest& request, const Options& options, Jit& jit,
                                                   const std::function<void()>& before_compiling);

/// The update kernels of an engine. Thread-safe. A program uses few of them, so that all are kept.
class UpdatePlans {
 public:
  std::shared_ptr<const UpdatePlan> find_or_make(const UpdateRequest& request, const Options& options, Jit& jit,
                                                 const std::function<void()>& before_compiling);

 private:
  struct Made {
    UpdateRequest request;
    Target::Backend backend;
    std::shared_ptr<const UpdatePlan> plan;
  };
  std::mutex mutex_;
  std::vector<Made> made_;
};

}  // namespace lacuna
