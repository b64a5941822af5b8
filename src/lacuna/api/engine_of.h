#pragma once

#include "lacuna/api/default_engine.h"
#include "lacuna/engine/engine.h"

namespace lacuna {

/// The engine and the compilation options that `options` stand for.
Engine& engine_of(const EvaluateOptions& options);
Options compile_options(const EvaluateOptions& options);

}  // namespace lacuna
