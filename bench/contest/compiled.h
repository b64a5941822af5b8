#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/contest/contestant.h"
#include "lacuna/engine/engine.h"

namespace lacuna::contest {

/// A statement that Lacuna compiles, under the request's schedule. A run is all that a user waits for then: copies that
/// the schedule asks for, the kernel, and the making of the result. `turns`: the operands of the first run, the second,
/// and so on, again and again; none: always those of the request.
Contestant compiled(const std::string& name, Engine& engine, const Request& request, int threads,
                    std::vector<std::map<std::string, Storage>> turns = {});

}  // namespace lacuna::contest
