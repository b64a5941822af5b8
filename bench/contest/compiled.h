#pragma once

#include <string>

#include "bench/contest/contestant.h"
#include "lacuna/compile/engine.h"

namespace lacuna::contest {

/// A statement that Lacuna compiles, under the request's schedule. A run is all that a user waits for then: copies that
/// the schedule asks for, the kernel, and the making of the result.
Contestant compiled(const std::string& name, Engine& engine, const Request& request, int threads);

}  // namespace lacuna::contest
