#include "lacuna/api/default_engine.h"

#include <algorithm>

#include "lacuna/api/engine_of.h"
#include "lacuna/support/check.h"
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
  result.target.deterministic = options.deterministic;
  if (options.threads < 0) user_error("a tensor cannot be evaluated on {} threads", options.threads);
  if (options.threads == 0) {
    result.target.threads = std::max(1, read_environment().threads.value_or(usable_processors()));
  }
  if (options.device != nullptr) result.target.device = options.device->language();
  result.target.on = options.device;
  result.target.devices = options.devices;
  if (!options.devices.empty()) {
    const auto any = std::find_if(options.devices.begin(), options.devices.end(), [](const auto& d) { return d; });
    if (any == options.devices.end()) user_error("none of the {} devices was opened", options.devices.size());
    if (options.device != nullptr) user_error("give a tensor one device or, on a machine, several; not both");
    result.target.device = (*any)->language();
    result.target.on = *any;
  }
  return result;
}

}  // namespace lacuna
