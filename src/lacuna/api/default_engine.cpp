#include "lacuna/api/default_engine.h"

#include <algorithm>
#include <thread>

#include "lacuna/support/environment.h"

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
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    result.target.threads = std::max(1, read_environment().threads.value_or(processors));
  }
  return result;
}

}  // namespace lacuna
