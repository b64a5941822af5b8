#include "lacuna/engine/engine.h"

#include "lacuna/engine/level_trials.h"

namespace lacuna {

Engine::Engine(JitOptions jit)
    : Compiler(std::move(jit), [trials = std::make_shared<LevelTrials>()](const Format& f) { trials->require(f); }) {}

}  // namespace lacuna
