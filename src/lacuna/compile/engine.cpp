#include "lacuna/compile/engine.h"

#include "lacuna/compile/level_trials.h"

namespace lacuna {

Engine::Engine(JitOptions jit)
    : Compiler(std::move(jit), [trials = std::make_shared<LevelTrials>()](const Format& f) { trials->require(f); }) {}

}  // namespace lacuna
