#include "lacuna/api/default_engine.h"

#include <algorithm>

#include "lacuna/api/engine_of.h"
#include "lacuna/support/environment.h"
#include "lacuna/support/threads.h"

namespace lacuna {

Engine& default_engine() {
  static Engine engine(jit_options(read_environment()));
  return engine;
}

Engine& engine_of(const EvaluateOptions& options) {
  return options.engine != nullptr ? *options.engine : default_engine();
}

Options compile_options(const EvaluateOptions& options) {
  Options result;
  result.target.threads = options.threads;
  if (options.threads < 0) user_error("a tensor cannot be evaluated on {} threads", options.threads);
  if (options.threads == 0) {
    result.target.threads = std::max(1, read_environment().threads.value_or(usable_processors()));
  }
  if (options.device != nullptr) result.target.device = options.device->language();
  result.target.on = options.device;
  return result;
}

}  // namespace lacuna
